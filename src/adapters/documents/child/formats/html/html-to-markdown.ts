import { Parser } from 'htmlparser2'
import { isHidden } from './is-hidden.ts'
import { createMarkdownWriter, type MarkdownWriter } from './markdown-writer.ts'

type Attributes = Readonly<Record<string, string>>
type Event = (writer: MarkdownWriter, attributes: Attributes) => void

const skipped = new Set(['script', 'style', 'head', 'noscript', 'template', 'svg', 'object', 'iframe'])
const blockNames =
  'p div section article aside header footer main nav figure figcaption blockquote dl dt dd address hr form center details summary'
const headingNames = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

const endBlock: Event = writer => writer.endBlock()
const blocks = blockNames.split(' ').map(name => [name, endBlock] as const)

const openings: ReadonlyMap<string, Event> = new Map<string, Event>([
  ...blocks,
  ...headingNames.map((name, at) => [name, writer => writer.beginHeading(at + 1)] as [string, Event]),
  ['br', writer => writer.lineBreak()],
  ['ul', writer => writer.beginList(false)],
  ['ol', writer => writer.beginList(true)],
  ['li', (writer, attributes) => writer.beginItem(isNote(attributes))],
  ['pre', writer => writer.beginCode()],
  ['table', writer => writer.beginTable()],
  ['tr', writer => writer.beginRow()],
  ['td', (writer, { colspan }) => writer.beginCell(Number(colspan ?? 1))],
  ['th', (writer, { colspan }) => writer.beginCell(Number(colspan ?? 1))],
  ['a', (writer, { href }) => writer.beginLink(href ?? '')],
  ['img', (writer, { alt = '' }) => writer.text(alt.trim() === '' ? '' : ` [Image: ${alt.trim()}] `)],
])

const closings: ReadonlyMap<string, Event> = new Map<string, Event>([
  ...blocks,
  ...headingNames.map(name => [name, endBlock] as const),
  ['li', endBlock],
  ['ul', writer => writer.endList()],
  ['ol', writer => writer.endList()],
  ['pre', writer => writer.endCode()],
  ['table', writer => writer.endTable()],
  ['td', writer => writer.endCell()],
  ['th', writer => writer.endCell()],
  ['a', writer => writer.endLink()],
])

/**
 * The text of a page: headings, lists, tables and code as Markdown, without scripts, styles and what it hides. Broken
 * markup is read as browsers do.
 */
export function htmlToMarkdown(html: string): string {
  const writer = createMarkdownWriter()
  let skippedDepth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (skippedDepth > 0 || skipped.has(name) || isHidden(name, attributes)) skippedDepth += 1
        else openings.get(name)?.(writer, attributes)
      },
      ontext(text) {
        if (skippedDepth === 0) writer.text(text)
      },
      onclosetag(name) {
        if (skippedDepth > 0) skippedDepth -= 1
        else closings.get(name)?.(writer, {})
      },
    },
    // XHTML closes `<script/>` in its own tag; read as HTML it would swallow the page.
    { decodeEntities: true, recognizeSelfClosing: true },
  )
  parser.write(html)
  parser.end()
  return writer.end()
}

/** Footnotes and endnotes are items of a list, to which `[1]` in the text refers. */
function isNote({ id = '' }: Attributes): boolean {
  return /^(foot|end)note-/.test(id)
}
