import { type Extracted, ReadingFailure } from '../../reading.ts'
import { joinBlocks } from '../markdown.ts'
import { orderLines } from './order-lines.ts'
import { openPdf, type PdfPage } from './pdfium.ts'
import { bodyHeight, linesOf } from './text-lines.ts'
import { writePage } from './write-page.ts'

/** Beyond it the rest would be cut off anyway. */
const charactersMax = 2_200_000
const emptyPage = '[This page holds no text, only an image.]'

/** The pages of a PDF, each after its mark, in reading order. @throws ReadingFailure encrypted, no_text, unreadable */
export async function readPdf(bytes: Uint8Array): Promise<Extracted> {
  const document = await openPdf(bytes)
  const pages: string[] = []
  let characters = 0
  let filled = 0
  for (let index = 0; index < document.pageCount && characters < charactersMax; index += 1) {
    const text = pageText(document.readPage(index))
    characters += text.length
    if (text !== '') filled += 1
    pages.push(`[Page ${index + 1}]\n\n${text === '' ? emptyPage : text}`)
  }
  if (filled === 0) throw new ReadingFailure('no_text')
  return { text: pages.join('\n\n'), pages: document.pageCount }
}

/** What is drawn, then what was filled in, then what was noted. */
function pageText({ lines, fields, comments }: PdfPage): string {
  const drawn = linesOf(lines)
  const text = writePage(orderLines(drawn), bodyHeight(drawn))
  return joinBlocks([text, list('Form fields:', fields), list('Comments:', comments)])
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${title}\n\n${items.map(item => `- ${item}`).join('\n')}`
}
