import type { PageCharacter, PageLine } from './pdfium.ts'

/** A piece of a line without a wide gap in it. In points; y grows upwards. */
export interface TextLine {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
  /** Goes on to the right on the same line as the piece before it. */
  readonly continues: boolean
}

/** A gap of this many heights of a line is no space between words: another column begins behind it. */
const gapHeights = 1.5

/** Cuts lines at wide gaps: PDFium takes for one line what two columns have side by side. */
export function linesOf(lines: readonly PageLine[]): readonly TextLine[] {
  return lines.flatMap(line =>
    piecesOf(line)
      .map((piece, at) => textLine(piece, at > 0))
      .filter(({ text }) => text.trim() !== ''),
  )
}

function piecesOf(line: PageLine): readonly PageLine[] {
  const pieces: PageCharacter[][] = [[]]
  let edge: PageCharacter | null = null
  for (const character of line) {
    const isSpace = character.text.trim() === ''
    if (edge !== null && !isSpace && isFarFrom(edge, character)) pieces.push([])
    pieces.at(-1)?.push(character)
    if (!isSpace) edge = character
  }
  return pieces
}

/** Also to the left, for text that is read that way. */
function isFarFrom(before: PageCharacter, after: PageCharacter): boolean {
  const gap = Math.max(after.left - before.right, before.left - after.right)
  return gap > gapHeights * Math.max(before.top - before.bottom, after.top - after.bottom)
}

function textLine(piece: PageLine, continues: boolean): TextLine {
  const solid = piece.filter(({ text }) => text.trim() !== '')
  const line = { left: Number.POSITIVE_INFINITY, right: 0, bottom: Number.POSITIVE_INFINITY, top: 0 }
  for (const { left, right, bottom, top } of solid) {
    line.left = Math.min(line.left, left)
    line.right = Math.max(line.right, right)
    line.bottom = Math.min(line.bottom, bottom)
    line.top = Math.max(line.top, top)
  }
  return { ...line, text: piece.map(({ text }) => text).join(''), continues }
}

/** The height that most characters have: what is taller is a heading. 0 without text. */
export function bodyHeight(lines: readonly TextLine[]): number {
  const characters = new Map<number, number>()
  for (const line of lines) {
    const height = roundHeight(line)
    characters.set(height, (characters.get(height) ?? 0) + line.text.length)
  }
  return [...characters].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0] as const)[0]
}

export function roundHeight({ top, bottom }: TextLine): number {
  return Math.round((top - bottom) * 2) / 2
}
