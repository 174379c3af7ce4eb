import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { docxFile, xlsxFile } from '../support/documents/office-files.ts'
import { pageOf, pdfFile } from '../support/documents/pdf-file.ts'
import { fixture, useDocuments } from '../support/documents/use-documents.ts'
import { zipFile } from '../support/documents/zip-file.ts'

const documents = useDocuments()
/** Where a bomb need not be large, nor take long. */
const small = useDocuments({ childrenMax: 1, memoryBytesMax: 200 * 1_048_576 })
const mebibyte = 1_048_576

function repeated(text: string, bytes: number): string {
  return text.repeat(Math.ceil(bytes / text.length))
}

describe('a container', () => {
  it.each([
    ['that claims a gigabyte', docxFile({ more: [{ name: 'big.xml', content: 'x', claimedBytes: 1_073_741_824 }] })],
    [
      'that inflates to more than a hundredfold',
      docxFile({ more: [{ name: 'a.bin', content: Buffer.alloc(8 * mebibyte) }] }),
    ],
    [
      'of more than 100 MiB in all',
      docxFile({
        more: [0, 1, 2].map(at => ({ name: `${at}.bin`, content: noise(mebibyte), claimedBytes: 50 * mebibyte })),
      }),
    ],
    [
      'of more than 20,000 parts',
      docxFile({ more: Array.from({ length: 20_001 }, (_, at) => ({ name: `${at}`, content: '' })) }),
    ],
  ])('%s is too large, before any library sees it', async (_, bytes) => {
    expect(await documents.readBytes(bytes)).toMatchObject({ kind: 'failure', reason: 'too_large' })
  })

  it('that inflates to more than its headers say is cut off there', async () => {
    const more = [{ name: 'word/lie.xml', content: Buffer.alloc(150 * mebibyte), claimedBytes: 1_000 }]
    expect(await documents.readBytes(docxFile({ more }))).toMatchObject({ kind: 'failure', reason: 'unreadable' })
  })

  it('with a protected part is encrypted', async () => {
    const more = [{ name: 'a.xml', content: 'x', encrypted: true }]
    expect(await documents.readBytes(docxFile({ more }))).toMatchObject({ kind: 'failure', reason: 'encrypted' })
  })

  it('whose parts have names outside of it is unreadable', async () => {
    const bytes = zipFile([{ name: '../../etc/passwd', content: 'x' }])
    expect(await documents.readBytes(bytes)).toMatchObject({ kind: 'failure', reason: 'unreadable' })
  })
})

/** Bytes that no compression makes smaller, the same in each run. */
function noise(bytes: number): Buffer {
  const words = new Uint32Array(bytes / 4)
  let state = 0x9e3779b9
  for (let at = 0; at < words.length; at += 1) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    words[at] = state
  }
  return Buffer.from(words.buffer)
}

describe('XML', () => {
  const laughs = ['a0', ...Array.from({ length: 9 }, (_, at) => `a${at + 1}`)]
  const entities = laughs.map(
    (name, at) => `<!ENTITY ${name} "${at === 0 ? 'lol' : `&${laughs[at - 1]};`.repeat(10)}">`,
  )

  it.each([
    ['a billion laughs', { prologue: `<!DOCTYPE x [${entities.join('')}]>`, text: '&a9;' }],
    ['an entity of a file', { prologue: '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>', text: '&f;' }],
  ])('with %s is unreadable', async (_, options) => {
    expect(await documents.readBytes(docxFile(options))).toMatchObject({ kind: 'failure', reason: 'unreadable' })
  })

  it('nested a hundred thousand deep costs nothing but itself', async () => {
    const text = `</w:t></w:r>${'<w:r>'.repeat(100_000)}${'</w:r>'.repeat(100_000)}<w:r><w:t>x`
    const reading = await documents.readBytes(docxFile({ text }))
    expect(reading.kind).not.toBe('image')
  })
})

describe('a workbook', () => {
  const sheets = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ name: `s${at}`, rows: '<row r="1"><c r="A1"><v>7</v></c></row>' }))

  it('with one cell in its last corner is read at once', async () => {
    const rows = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    expect(await documents.readBytes(xlsxFile([{ name: 'S', rows }]))).toMatchObject({ kind: 'text' })
  })

  it('of 10,000 sheets is read, while others are not kept waiting', async () => {
    const many = documents.readBytes(xlsxFile(sheets(10_000)), { accountId: 'acc_many' })
    expect(await documents.readBytes(Buffer.from('meanwhile'))).toMatchObject({ text: 'meanwhile' })
    const reading = await many
    if (reading.kind !== 'text') throw new Error(JSON.stringify(reading))
    expect(reading).toMatchObject({ pages: 10_000, truncated: false })
    expect(reading.text.match(/\[Sheet: s\d+\]\n\n\| 7 \|/g)).toHaveLength(10_000)
  })

  it('whose sheets say more than a text may hold is cut there', async () => {
    const row = `<row r="1"><c r="A1" t="inlineStr"><is><t>${repeated('words ', 6_000)}</t></is></c></row>`
    const bytes = xlsxFile(sheets(500).map(({ name }) => ({ name, rows: row })))
    expect(await documents.readBytes(bytes)).toMatchObject({
      kind: 'text',
      pages: 500,
      truncated: true,
      text: expect.stringMatching(/its text is longer than 2 MiB\.\]$/),
    })
  })

  it('of more rows than are read says so', async () => {
    const rows = Array.from(
      { length: 20_010 },
      (_, at) => `<row r="${at + 1}"><c r="A${at + 1}"><v>${at}</v></c></row>`,
    )
    const reading = await documents.readBytes(xlsxFile([{ name: 'S', rows: rows.join('') }]))
    expect(reading).toMatchObject({
      kind: 'text',
      text: expect.stringMatching(/\n\n\[Rows after 20000 are left out\.\]$/),
    })
  })
})

describe('a PDF', () => {
  it('whose page inflates to more than its memory is cut there', async () => {
    const bytes = pdfFile([Buffer.alloc(160 * 1_000_000, ' ')])
    expect(bytes.length).toBeLessThan(mebibyte)
    expect(await small.readBytes(bytes)).toMatchObject({ kind: 'failure', reason: 'too_large' })
  })

  it('whose page draws millions of letters ends within its bounds', async () => {
    const line = `${repeated('abcdefghi ', 1_000)}`
    const bytes = pdfFile([pageOf(Array.from({ length: 1_500 }, () => line))])
    const reading = await documents.readBytes(bytes)
    expect(['text', 'failure']).toContain(reading.kind)
  })
})

describe('a truncated file', () => {
  const names = readdirSync(new URL('../fixtures/documents', import.meta.url)).filter(name =>
    /\.(pdf|docx|pptx|xlsx|xls|epub)$/.test(name),
  )

  it.each(names)('%s is read as far as it goes, or is unreadable', async name => {
    const bytes = fixture(name)
    for (const share of [0.3, 0.8]) {
      const reading = await documents.readBytes(bytes.subarray(0, Math.floor(bytes.length * share)), { name })
      if (reading.kind === 'failure')
        expect(['unreadable', 'encrypted', 'no_text', 'unsupported']).toContain(reading.reason)
      else expect(reading.kind).toBe('text')
    }
  })
})
