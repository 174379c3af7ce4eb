import { deflateSync } from 'node:zlib'

/** A PDF of pages in Helvetica, whose contents are streams of operators. */
export function pdfFile(contents: readonly (string | Buffer)[]): Buffer {
  const kids = contents.map((_, at) => `${4 + at * 2} 0 R`).join(' ')
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'),
    ...contents.flatMap((content, at) => [pageObject(5 + at * 2), streamObject(content)]),
  ]
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let size = pieces[0]?.length ?? 0
  for (const [at, object] of objects.entries()) {
    const piece = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    offsets.push(size)
    size += piece.length
    pieces.push(piece)
  }
  const rows = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  pieces.push(
    Buffer.from(`${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${size}\n%%EOF\n`),
  )
  return Buffer.concat(pieces)
}

function pageObject(content: number): Buffer {
  const resources = '<< /Font << /F1 3 0 R >> >>'
  return Buffer.from(
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources ${resources} /Contents ${content} 0 R >>`,
  )
}

function streamObject(content: string | Buffer): Buffer {
  const data = deflateSync(Buffer.from(content))
  return Buffer.concat([
    Buffer.from(`<< /Length ${data.length} /Filter /FlateDecode >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ])
}

/** Lines of text from the top of a page. They must not hold brackets. */
export function pageOf(lines: readonly string[]): string {
  return lines.map((line, at) => `BT /F1 10 Tf 60 ${780 - at * 14} Td (${line}) Tj ET`).join('\n')
}
