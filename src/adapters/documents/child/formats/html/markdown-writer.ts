import { joinBlocks, markdownHeading, markdownTable } from '../markdown.ts'

/** Deeper lists are indented no further, and wider spans are not real. */
const listDepthMax = 8
const spanMax = 64

/** Takes the events of a document and writes Markdown. Inside a table everything is text of a cell. */
export interface MarkdownWriter {
  text(text: string): void
  lineBreak(): void
  endBlock(): void
  beginHeading(level: number): void
  beginList(ordered: boolean): void
  /** Notes carry their number in brackets, as the text refers to them. */
  beginItem(isNote: boolean): void
  endList(): void
  beginCode(): void
  endCode(): void
  beginTable(): void
  beginRow(): void
  beginCell(span: number): void
  endCell(): void
  endTable(): void
  beginLink(address: string): void
  endLink(): void
  /** The whole text. */
  end(): string
}

interface List {
  readonly ordered: boolean
  count: number
}

export function createMarkdownWriter(): MarkdownWriter {
  const blocks: string[] = []
  const lists: List[] = []
  const links: { readonly address: string; readonly from: number }[] = []
  let line = ''
  let heading: number | null = null
  let marker = ''
  let inCode = false
  let tableDepth = 0
  let rows: string[][] = []
  let span = 1

  function endBlock(): void {
    if (tableDepth > 0) {
      line += ' '
      return
    }
    const text = inCode ? line : collapse(line)
    line = ''
    links.length = 0
    if (text.trim() === '') return
    if (inCode) blocks.push(`\`\`\`\n${text.replace(/\n$/, '')}\n\`\`\``)
    else if (heading !== null) blocks.push(markdownHeading(heading, text))
    else blocks.push(...itemOrBlock(text))
    heading = null
  }

  /** Items of one list stand below each other without empty lines. */
  function itemOrBlock(text: string): readonly string[] {
    const depth = Math.min(lists.length, listDepthMax)
    if (depth === 0) return [text]
    const indent = '  '.repeat(depth - 1)
    const item = `${indent}${marker === '' ? '  ' : marker}${text.replaceAll('\n', `\n${indent}  `)}`
    const isFirst = marker !== '' && lists.length === 1 && lists[0]?.count === 1
    marker = ''
    if (isFirst) return [item]
    const before = blocks.pop()
    return [before === undefined ? item : `${before}\n${item}`]
  }

  return {
    text(text) {
      line += text
    },
    lineBreak() {
      line += tableDepth > 0 ? ' ' : inCode ? '\n' : hardBreak
    },
    endBlock,
    beginHeading(level) {
      endBlock()
      heading = level
    },
    beginList(ordered) {
      endBlock()
      lists.push({ ordered, count: 0 })
    },
    beginItem(isNote) {
      endBlock()
      const list = lists.at(-1)
      if (list === undefined) return
      list.count += 1
      const number = list.ordered ? `${list.count}. ` : '- '
      marker = isNote ? `[${list.count}] ` : number
    },
    endList() {
      endBlock()
      lists.pop()
    },
    beginCode() {
      endBlock()
      inCode = tableDepth === 0
    },
    endCode() {
      endBlock()
      inCode = false
    },
    beginTable() {
      endBlock()
      if (tableDepth === 0) rows = []
      tableDepth += 1
    },
    beginRow() {
      if (tableDepth === 1) rows.push([])
    },
    beginCell(columns) {
      if (tableDepth !== 1) return
      line = ''
      span = Number.isSafeInteger(columns) ? Math.min(Math.max(columns, 1), spanMax) : 1
    },
    endCell() {
      if (tableDepth !== 1) return
      if (rows.length === 0) rows.push([])
      rows.at(-1)?.push(collapse(line), ...Array<string>(span - 1).fill(''))
      line = ''
    },
    endTable() {
      if (tableDepth === 0) return
      tableDepth -= 1
      if (tableDepth > 0) return
      blocks.push(markdownTable(rows))
      rows = []
      line = ''
    },
    beginLink(address) {
      links.push({ address, from: line.length })
    },
    endLink() {
      const link = links.pop()
      if (link !== undefined) line = withLink(line, link)
    },
    end() {
      while (tableDepth > 0) this.endTable()
      endBlock()
      return joinBlocks(blocks)
    },
  }
}

/** Stands for `<br>` until white space has been collapsed; it cannot occur in text. */
const hardBreak = '\u0000'

function collapse(text: string): string {
  return text
    .replace(/[ \t\r\n\f]+/g, ' ')
    .replaceAll(new RegExp(` ?${hardBreak} ?`, 'g'), '\n')
    .trim()
}

/** Addresses of the web stay with their words; a way back from a note to its place is dropped. */
function withLink(line: string, { address, from }: { readonly address: string; readonly from: number }): string {
  const words = line.slice(from)
  if (/^#(foot|end)note-ref-/.test(address)) return line.slice(0, from)
  if (!/^(https?:|mailto:)/i.test(address) || words.trim() === '' || address.includes(words.trim())) return line
  return `${line.slice(0, from)}[${words.trim()}](${address})`
}
