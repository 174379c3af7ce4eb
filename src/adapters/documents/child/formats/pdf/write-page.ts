import { markdownHeading } from '../markdown.ts'
import { softHyphen } from './pdfium.ts'
import { roundHeight, type TextLine } from './text-lines.ts'

/** How much taller than the body a heading of each level is, and how long it may be. */
const headingLevels = [
  { level: 1, factor: 1.7 },
  { level: 2, factor: 1.35 },
  { level: 3, factor: 1.15 },
] as const
const headingCharactersMax = 150
/** A space above a line of more than this many heights begins a paragraph. */
const paragraphHeights = 0.9
const columnGap = '   '

/** Lines as paragraphs and headings. Pieces that stand on one line stay on one line, with a gap between them. */
export function writePage(lines: readonly TextLine[], bodyHeight: number): string {
  let text = ''
  let before: TextLine | null = null
  for (const line of lines) {
    text += separator(before, line) + shown(line, bodyHeight)
    before = line
  }
  return text
    .replaceAll(new RegExp(`${softHyphen}\\s*\\n`, 'g'), '')
    .replaceAll(softHyphen, '')
    .trim()
}

function separator(before: TextLine | null, line: TextLine): string {
  if (before === null) return ''
  if (line.continues) return columnGap
  const space = before.bottom - line.top
  const isApart = space > paragraphHeights * (line.top - line.bottom) || roundHeight(before) !== roundHeight(line)
  return isApart ? '\n\n' : '\n'
}

function shown(line: TextLine, bodyHeight: number): string {
  const text = line.text.replace(/\s+/g, ' ').trim()
  const level = headingLevels.find(({ factor }) => roundHeight(line) >= bodyHeight * factor)?.level
  const isHeading = level !== undefined && !line.continues && text.length <= headingCharactersMax && /\p{L}/u.test(text)
  return isHeading ? markdownHeading(level, text) : text
}
