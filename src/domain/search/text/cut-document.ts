/** A part of a document as it is found: with the headings that it stands under. */
export interface Chunk {
  /** The headings, the outermost first, joined by " › "; empty before the first. */
  readonly heading: string
  readonly text: string
}

export interface CutDocument {
  /** The first heading; null where there is none. */
  readonly title: string | null
  readonly chunks: readonly Chunk[]
}

/** A result shows a chunk as a whole, so that it is no longer than a result may be. */
const chunkCharactersMax = 1_200
const headingCharactersMax = 200
const chunksMax = 2_000

const headingLine = /^(#{1,6})\s+(.{1,500}?)\s*#*$/

/** Cuts Markdown at its headings and, where a part is long, at its paragraphs and sentences. */
export function cutDocument(markdown: string): CutDocument {
  const headings: string[] = []
  const chunks: Chunk[] = []
  let title: string | null = null
  let lines: string[] = []
  let isCode = false

  function endPart(): void {
    const heading = headings
      .filter(text => text !== undefined)
      .join(' › ')
      .slice(0, headingCharactersMax)
    for (const text of cutText(lines.join('\n'))) if (chunks.length < chunksMax) chunks.push({ heading, text })
    lines = []
  }

  for (const line of markdown.split(/\r?\n/)) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    const [, marks = '', text = ''] = (isCode ? null : headingLine.exec(line)) ?? []
    if (marks === '') {
      lines.push(line)
      continue
    }
    endPart()
    title ??= text
    headings.length = Math.min(headings.length, marks.length - 1)
    headings[marks.length - 1] = text
  }
  endPart()
  return { title, chunks }
}

function cutText(text: string): readonly string[] {
  const pieces: string[] = []
  let piece = ''
  for (const part of partsOf(text)) {
    if (piece !== '' && piece.length + part.length + 1 > chunkCharactersMax) {
      pieces.push(piece.trim())
      piece = ''
    }
    piece = piece === '' ? part : `${piece}\n${part}`
  }
  return [...pieces, piece.trim()].filter(one => /[\p{L}\p{N}]/u.test(one))
}

/** Paragraphs; long ones as their sentences, and what is longer still in pieces. */
function partsOf(text: string): readonly string[] {
  return text.split(/\n\s*\n/).flatMap(paragraph => {
    if (paragraph.length <= chunkCharactersMax) return [paragraph]
    return paragraph.split(/(?<=[.!?。!?])\s+|(?<=[。!?])|\n/u).flatMap(sentence => slices(sentence))
  })
}

function slices(text: string): readonly string[] {
  const count = Math.ceil(text.length / chunkCharactersMax)
  return Array.from({ length: count }, (_, at) => text.slice(at * chunkCharactersMax, (at + 1) * chunkCharactersMax))
}
