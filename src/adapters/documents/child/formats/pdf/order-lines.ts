import type { TextLine } from './text-lines.ts'

/** Fewer lines side by side are a heading with its date, or a small table. */
const rowsMin = 4
/** Columns of prose fill their width; cells of a table do not. */
const fillMin = 0.55
/** In which part of the page's width a gutter may be. */
const gutterFrom = 0.25
const gutterTo = 0.75

/**
 * The order in which a page is read. What was drawn column by column is in order already; where lines of two columns
 * alternate, each band between lines that span both is read left column first. Tables alternate too, and stay as they are.
 */
export function orderLines(lines: readonly TextLine[]): readonly TextLine[] {
  const gutter = findGutter(lines)
  return gutter === null ? lines : bandsOf(lines, gutter).flatMap(band => readBand(band, gutter))
}

/** The middle of the space between two columns of prose whose lines alternate; null where there is none. */
function findGutter(lines: readonly TextLine[]): number | null {
  const right = lines.filter(({ continues }) => continues)
  if (right.length < rowsMin) return null
  const pageLeft = Math.min(...lines.map(line => line.left))
  const width = Math.max(...lines.map(line => line.right)) - pageLeft
  const gutter = median(right.map(line => line.left)) - 1
  if (gutter < pageLeft + width * gutterFrom || gutter > pageLeft + width * gutterTo) return null
  const sides = sidesOf(lines, gutter)
  const isRowsLong = sides.left.length >= rowsMin && sides.right.length >= rowsMin
  return isRowsLong && fills(sides.left) && fills(sides.right) ? gutter : null
}

function sidesOf(lines: readonly TextLine[], gutter: number) {
  return {
    left: lines.filter(line => line.right <= gutter),
    right: lines.filter(line => line.left >= gutter),
  }
}

/** Whether lines are as long as those of a column of prose, most of them. */
function fills(column: readonly TextLine[]): boolean {
  const width = Math.max(...column.map(line => line.right)) - Math.min(...column.map(line => line.left))
  return median(column.map(line => line.right - line.left)) >= width * fillMin && median(column.map(wordsOf)) >= 3
}

function wordsOf({ text }: TextLine): number {
  // A script without spaces has a word about every two characters.
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0
  return text.trim().split(/\s+/).length + dense / 2
}

/** Groups of lines from above to below, cut where a line spans both columns. */
function bandsOf(lines: readonly TextLine[], gutter: number): readonly (readonly TextLine[])[] {
  const fromAbove = [...lines].sort((one, other) => other.top - one.top)
  const bands: TextLine[][] = [[]]
  for (const line of fromAbove) {
    if (spans(line, gutter)) bands.push([line], [])
    else bands.at(-1)?.push(line)
  }
  return bands
}

function spans(line: TextLine, gutter: number): boolean {
  return line.left < gutter && line.right > gutter
}

function readBand(band: readonly TextLine[], gutter: number): readonly TextLine[] {
  const left = band.filter(line => line.left < gutter)
  const right = band.filter(line => line.left >= gutter)
  return [...left, ...right].map(line => ({ ...line, continues: false }))
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
