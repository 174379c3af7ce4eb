import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** A fenced block. Words behind its language are for the test; readers do not see them. */
export interface Block {
  readonly page: string
  /** Of the opening fence, from 1. */
  readonly line: number
  readonly language: string
  readonly words: readonly string[]
  readonly text: string
  /** Why it cannot run, from the comment `<!-- not run: … -->` right before it; else null. */
  readonly notRun: string | null
}

export interface Table {
  readonly line: number
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

interface Link {
  readonly line: number
  readonly target: string
}

/** A page of the documentation, taken apart as far as the tests need it. */
export interface Page {
  readonly path: string
  readonly name: string
  readonly blocks: readonly Block[]
  readonly tables: readonly Table[]
  readonly links: readonly Link[]
  /** The anchors that its headings have on the web. */
  readonly anchors: ReadonlySet<string>
}

const fence = /^```(\w*)(.*)$/
const notRunComment = /^<!-- not run: (.+) -->$/
const linkPattern = /\[(?:[^\][]|\[[^\]]*\])*\]\(([^)\s]+)\)/g

export function readPage(path: string): Page {
  const name = basename(path)
  const lines = readFileSync(path, 'utf8').split('\n')
  const blocks = readBlocks(name, lines)
  const prose = withoutBlocks(lines, blocks)
  return {
    path,
    name,
    blocks,
    tables: readTables(prose),
    links: prose.flatMap((text, index) =>
      [...text.matchAll(linkPattern)].map(match => ({ line: index + 1, target: match[1] ?? '' })),
    ),
    anchors: new Set(prose.flatMap(text => anchorOf(text) ?? [])),
  }
}

function readBlocks(page: string, lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  for (let index = 0; index < lines.length; index += 1) {
    const opening = fence.exec(lines[index] ?? '')
    if (opening === null) continue
    const end = lines.indexOf('```', index + 1)
    if (end === -1) throw new Error(`${page}:${index + 1}: the block has no end`)
    blocks.push({
      page,
      line: index + 1,
      language: opening[1] ?? '',
      words: (opening[2] ?? '').split(' ').filter(word => word !== ''),
      text: lines.slice(index + 1, end).join('\n'),
      notRun: notRunComment.exec(lines[index - 1] ?? '')?.[1] ?? null,
    })
    index = end
  }
  return blocks
}

/** The same lines, those of blocks emptied, so that numbers of lines stay. */
function withoutBlocks(lines: readonly string[], blocks: readonly Block[]): string[] {
  const prose = [...lines]
  for (const { line, text } of blocks) prose.fill('', line - 1, line + text.split('\n').length + 1)
  return prose
}

function readTables(lines: readonly string[]): Table[] {
  const tables: Table[] = []
  for (let index = 1; index < lines.length; index += 1) {
    if (!/^\|[ :|-]+\|$/.test(lines[index] ?? '')) continue
    const end = lines.findIndex((text, at) => at > index && !text.startsWith('|'))
    tables.push({
      line: index,
      head: cellsOf(lines[index - 1] ?? ''),
      rows: lines.slice(index + 1, end).map(cellsOf),
    })
  }
  return tables
}

function cellsOf(row: string): string[] {
  return row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim().replaceAll('\\|', '|'))
}

function anchorOf(text: string): string | null {
  const heading = /^#{1,6} (.+)$/.exec(text)?.[1]
  if (heading === undefined) return null
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** The code spans of a text, without their marks. */
export function codeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(match => match[1] ?? '')
}
