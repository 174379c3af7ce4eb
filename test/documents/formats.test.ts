import { utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { docxFile, xlsxFile } from '../support/documents/office-files.ts'
import { pageOf, pdfFile } from '../support/documents/pdf-file.ts'
import { fixture, useDocuments } from '../support/documents/use-documents.ts'

const documents = useDocuments()

async function textOf(name: string): Promise<string> {
  const reading = await documents.readFixture(name)
  if (reading.kind !== 'text') throw new Error(`${name}: ${JSON.stringify(reading)}`)
  return reading.text
}

describe('PDF', () => {
  it('becomes text with a mark for each page, headings and lines in order', async () => {
    const text = await textOf('report.pdf')
    expect(text).toMatch(/^\[Page 1\]\n\n# Annual report\n\n## Revenue\n\nThe quick brown fox/)
    expect(text).toContain('Q1   1,200   800')
    expect(text).toContain('\n\n[Page 2]\n\n')
  })

  it('of 100 pages is read whole', async () => {
    const bytes = pdfFile(Array.from({ length: 100 }, (_, at) => pageOf([`marker ${at + 1}`, 'and some words'])))
    const reading = await documents.readBytes(bytes)
    if (reading.kind !== 'text') throw new Error(reading.kind)
    expect(reading).toMatchObject({ pages: 100, truncated: false, mediaType: 'application/pdf' })
    for (let page = 1; page <= 100; page += 1) expect(reading.text).toContain(`[Page ${page}]\n\nmarker ${page}\n`)
  })

  it('that is a form gives what was filled in, and notes that were put on it', async () => {
    expect(await textOf('form.pdf')).toBe(
      [
        '[Page 1]\n\nOrder form\n\nForm fields:\n',
        '- Your name: Zoë Example\n- City: Rome\n- Size: large\n- [x] Wrap it\n- [ ] Send news\n- Payment: invoice',
        '\nComments:\n\n- Please deliver before noon.',
      ].join('\n'),
    )
  })

  it('in two columns is read column by column, whichever way it was drawn', async () => {
    const byFrame = (await textOf('columns.pdf')).match(/Paragraph \d+/g)
    expect(byFrame).toEqual(Array.from({ length: 14 }, (_, at) => `Paragraph ${at + 1}`))
    const byRow = (await textOf('columns-by-row.pdf')).match(/(left|right) \d+/g)
    const rows = Array.from({ length: 30 }, (_, at) => at)
    expect(byRow).toEqual([...rows.map(at => `left ${at}`), ...rows.map(at => `right ${at}`)])
  })

  it('in scripts from right to left and in East Asian ones is read as it is written', async () => {
    expect(await textOf('rtl.pdf')).toContain('שלום עולם\nהמחיר הוא 42 דולר\nمرحبا بالعالم')
    const text = await textOf('cjk.pdf')
    for (const line of ['日本語の文章です。', '中文的句子。', '한국어 문장입니다.']) expect(text).toContain(line)
  })

  it('that is protected, or that holds only pictures of text, is a failure that says so', async () => {
    expect(await documents.readFixture('password.pdf')).toMatchObject({ kind: 'failure', reason: 'encrypted' })
    expect(await documents.readFixture('scanned.pdf')).toMatchObject({ kind: 'failure', reason: 'no_text' })
  })

  it('says of each page without text that there is none', async () => {
    const reading = await documents.readBytes(pdfFile([pageOf(['words']), '']))
    expect(reading).toMatchObject({
      text: '[Page 1]\n\nwords\n\n[Page 2]\n\n[This page holds no text, only an image.]',
    })
  })
})

describe('Office documents', () => {
  it('DOCX keeps headings, lists, tables and footnotes', async () => {
    expect(await textOf('letter.docx')).toBe(
      [
        '# Ärger mit 日本語',
        'A first paragraph with a note[1] and its end.',
        '## A list',
        '- first item\n- second item',
        '## A table',
        '| Name | Count | Price |\n| --- | --- | --- |\n| apple | 3 | 1.50 |\n| pear\\|plum | 5 | 2.25 |',
        '[1] Measured in the year 2025.',
      ].join('\n\n'),
    )
  })

  it('PPTX gives slides in the order of the presentation, with tables and notes', async () => {
    expect(await textOf('deck.pptx')).toBe(
      [
        '[Slide 1]\n\n## First slide\n\nthe beginning\n\nNotes:\n\nWelcome everybody.',
        '[Slide 2]\n\n## Second slide\n\na point\n  - another point\n\nNotes:\n\nSay this slowly.',
        '[Slide 3]\n\n## Third slide\n\nthe end\n\n| City | People |\n| --- | --- |\n| Rome | 2,800,000 |',
      ].join('\n\n'),
    )
  })

  it('XLSX gives each sheet as a table: dates as dates, numbers as they are shown, formulas as results', async () => {
    const text = await textOf('orders.xlsx')
    expect(text).toContain(
      '[Sheet: Orders]\n\n| Day | Item | Count | Price | Total |\n| --- | --- | --- | --- | --- |\n',
    )
    expect(text).toContain('| 2026-01-02 | apple | 3 | 1.50 | =C2*D2 |\n| 2026-11-30 | pear | 5 | 2.25 | =C3*D3 |')
    expect(text).toContain('[Sheet: Städte]\n\n| Zürich | TRUE |\n| --- | --- |\n|  | 25.6% |')
    const rows = '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>A1*3</f><v>6</v></c></row>'
    expect(await documents.readBytes(xlsxFile([{ name: 'S', rows }]))).toMatchObject({
      text: '[Sheet: S]\n\n| 2 | 6 |\n| --- | --- |',
    })
  })

  it('XLS is read like XLSX', async () => {
    expect(await textOf('alt.xls')).toBe(
      '[Sheet: Alt]\n\n| 2026-01-02 | Äpfel | 3 |\n| --- | --- | --- |\n| 2026-02-03 | Birnen | 5.5 |\n\n[Sheet: Neu]\n\n| second sheet |\n| --- |',
    )
  })

  it.each(['xlsx', 'xlsb', 'biff8'] as const)(
    'of hundreds of sheets gives each as it would alone: %s',
    async bookType => {
      const book = utils.book_new()
      for (let at = 0; at < 301; at += 1) {
        const day = new Date(Date.UTC(2026, 0, 1 + (at % 300)))
        const sheet = utils.aoa_to_sheet(
          [
            ['day', 'words'],
            [day, `<${at}> & "more"`],
          ],
          { cellDates: true, UTC: true },
        )
        utils.book_append_sheet(book, sheet, `Sheet & ${at}`)
      }
      const bytes: Buffer = write(book, { type: 'buffer', bookType, bookSST: true })
      const reading = await documents.readBytes(bytes)
      if (reading.kind !== 'text') throw new Error(JSON.stringify(reading))
      expect(reading.pages).toBe(301)
      const blocks = Array.from({ length: 301 }, (_, at) => {
        const day = new Date(Date.UTC(2026, 0, 1 + (at % 300))).toISOString().slice(0, 10)
        return `[Sheet: Sheet & ${at}]\n\n| day | words |\n| --- | --- |\n| ${day} | <${at}> & "more" |`
      })
      expect(reading.text).toBe(blocks.join('\n\n'))
    },
  )

  it('is known by its contents, whatever its name and declared type', async () => {
    const bytes = docxFile({ text: 'inside' })
    for (const [name, mediaType] of [
      ['a.pdf', 'application/pdf'],
      ['a.txt', 'text/plain'],
    ] as const)
      expect(await documents.readBytes(bytes, { name, mediaType })).toMatchObject({ kind: 'text', text: 'inside' })
  })
})

it('EPUB gives its chapters in the order of the spine, without scripts', async () => {
  expect(await textOf('book.epub')).toBe('# The beginning\n\nIt was éarly & cold.\n\n# The end\n\nIt was éarly & cold.')
})

describe('text', () => {
  const sentence = 'Ärger, 12 €\r\nzweite Zeile'
  const expected = 'Ärger, 12 €\nzweite Zeile'
  const utf16 = Buffer.from(sentence, 'utf16le')

  it.each([
    ['UTF-8', Buffer.from(sentence)],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${sentence}`)],
    ['UTF-16 little-endian', Buffer.from(`\ufeff${sentence}`, 'utf16le')],
    ['UTF-16 big-endian', Buffer.from(`\ufeff${sentence}`, 'utf16le').swap16()],
    ['UTF-16 without its mark', utf16],
    ['Windows-1252, which holds Latin-1', Buffer.from('\xc4rger, 12 \x80\r\nzweite Zeile', 'latin1')],
  ])('in %s is decoded', async (_, bytes) => {
    expect(await documents.readBytes(bytes)).toMatchObject({ kind: 'text', text: expected, pages: null })
  })

  it('of tables, data and programs stays as it is', async () => {
    for (const text of [
      'a;b\n1;2\n',
      '{"a": [1, 2]}',
      '# Title\n\ntext',
      '<?xml version="1.0"?><a>1</a>',
      'int main() {}',
    ])
      expect(await documents.readBytes(Buffer.from(text))).toMatchObject({ kind: 'text', text })
  })

  it('of 2 MiB is read whole, and a byte more is cut', async () => {
    const text = 'line of eight\n'.repeat(200_000).slice(0, 2_097_152)
    expect(await documents.readBytes(Buffer.from(text))).toMatchObject({ kind: 'text', text, truncated: false })
    expect(await documents.readBytes(Buffer.from(`${text}x`))).toMatchObject({ kind: 'text', truncated: true })
  })

  it('longer than 2 MiB is cut at a whole character, and says so', async () => {
    const reading = await documents.readBytes(Buffer.from('日本'.repeat(400_000)))
    if (reading.kind !== 'text') throw new Error(reading.kind)
    expect(reading.truncated).toBe(true)
    expect(Buffer.byteLength(reading.text)).toBeLessThanOrEqual(2_097_152)
    expect(reading.text).toMatch(
      /本\n\n\[The rest of this file is left out: its text is longer than 2 MiB\.\]$|日\n\n\[/,
    )
    expect(reading.text).not.toContain('\ufffd')
  })
})

describe('what is no document', () => {
  it('is a picture where it is one', async () => {
    expect(await documents.readFixture('photo.heic')).toEqual({ kind: 'image', mediaType: 'image/heic' })
  })

  it.each([
    ['bytes without a meaning', Buffer.from([0, 1, 2, 3, 0, 255, 254, 0])],
    ['a program', Buffer.concat([Buffer.from('7f454c46020101000000000000000000', 'hex'), Buffer.alloc(200)])],
    ['a zip archive', Buffer.from('504b0506000000000000000000000000000000000000', 'hex')],
    ['music', Buffer.concat([Buffer.from('ID3\u0004\0\0\0\0\0\0'), Buffer.alloc(400, 0x41)])],
  ])('is unsupported: %s', async (_, bytes) => {
    expect(await documents.readBytes(bytes)).toMatchObject({ kind: 'failure', reason: 'unsupported' })
  })

  it('is an empty text where there are no bytes', async () => {
    expect(await documents.readBytes(Buffer.alloc(0))).toMatchObject({ kind: 'text', text: '' })
  })
})

it('a document that is PDF and ZIP at once is what the caller declares, and else what it begins with', async () => {
  const both = docxFile({ text: 'inside', prefix: fixture('report.pdf') })
  const pdf = { kind: 'text', mediaType: 'application/pdf' }
  const docx = { kind: 'text', text: 'inside' }
  expect(await documents.readBytes(both)).toMatchObject(pdf)
  expect(await documents.readBytes(both, { mediaType: 'application/pdf', name: 'a.docx' })).toMatchObject(pdf)
  expect(await documents.readBytes(both, { name: 'a.docx' })).toMatchObject(docx)
  const declared = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  expect(await documents.readBytes(both, { mediaType: declared })).toMatchObject(docx)
})
