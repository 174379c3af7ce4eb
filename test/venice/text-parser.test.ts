import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { docxFile } from '../support/documents/office-files.ts'
import { pageOf, pdfFile } from '../support/documents/pdf-file.ts'
import { retypedFile } from '../support/documents/retyped-file.ts'
import { fixture } from '../support/documents/use-documents.ts'
import { useGateway } from '../support/gateway/index.ts'
import { openRaw } from '../support/raw-http.ts'
import { adminClient } from '../support/venice/admin-client.ts'
import { waitFor } from '../support/wait-for.ts'

const gateway = useGateway({ accounts: { reader: { key: { type: 'admin' } }, broke: { credit: 0 } } })
const keyOf = (account: string) => gateway.account(account).key
const call = adminClient(gateway, 'reader')

interface Sent {
  readonly bytes: Uint8Array
  readonly name?: string
  readonly format?: string
  readonly account?: string | null
}

async function parse({ bytes, name = 'file', format, account = 'reader' }: Sent): Promise<Response> {
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(bytes)]), name)
  if (format !== undefined) form.append('response_format', format)
  return post(form, account)
}

function post(body: FormData | string, account: string | null, headers: Record<string, string> = {}) {
  const credentials = account === null ? {} : { authorization: `Bearer ${keyOf(account)}` }
  return fetch(`${gateway.url}/api/v1/augment/text-parser`, {
    method: 'POST',
    body,
    headers: { ...credentials, ...headers },
  })
}

async function spentNano(): Promise<bigint> {
  return BigInt((await gateway.client.credits(keyOf('reader'))).usedNano)
}

describe('POST /api/v1/augment/text-parser: 200', () => {
  it('answers with the text and its tokens, a third of its characters and a bit, and charges a cent', async () => {
    const before = await spentNano()
    const answer = await parse({ bytes: fixture('letter.docx'), name: 'letter.docx' })
    expect(answer.status).toBe(200)
    const { text, tokens } = (await answer.json()) as { text: string; tokens: number }
    expect(text).toContain('# Ärger mit 日本語')
    expect(tokens).toBe(Math.ceil([...text].length / 3.2))
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect((await spentNano()) - before).toBe(10_000_000n)
  })

  it('answers with the text alone where that is asked for', async () => {
    const answer = await parse({ bytes: Buffer.from('a,b\n1,2\n'), format: 'text' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(await answer.text()).toBe('a,b\n1,2\n')
  })

  it('stands in the history of bills under a name of its own', async () => {
    await parse({ bytes: Buffer.from('text') })
    const { data } = (await call('GET', '/billing/usage-history')).body
    expect(data[0]).toMatchObject({
      sku: 'text-parser-document',
      units: 1,
      pricePerUnitUsd: 0.01,
      amount: -0.01,
      currency: 'USD',
    })
  })

  it('reads a file of 25 MB', async () => {
    const answer = await parse({ bytes: Buffer.alloc(25_000_000, 'words and more words\n') })
    expect(answer.status).toBe(200)
    const { text } = (await answer.json()) as { text: string }
    expect(text).toMatch(/its text is longer than 2 MiB\.\]$/)
  })
})

describe('POST /api/v1/augment/text-parser: every format of docs/documents.md', () => {
  it.each([
    ['report.pdf', '[Page 2]\n\n'],
    ['form.pdf', 'Form fields:\n\n- Your name: Zoë Example'],
    ['columns.pdf', 'Paragraph 14'],
    ['rtl.pdf', 'שלום עולם'],
    ['cjk.pdf', '日本語の文章です。'],
    ['letter.docx', '[1] Measured in the year 2025.'],
    ['deck.pptx', 'Notes:\n\nWelcome everybody.'],
    ['orders.xlsx', '| 2026-01-02 | apple | 3 | 1.50 | =C2*D2 |'],
    ['alt.xls', '[Sheet: Neu]'],
    ['book.epub', '# The beginning\n\nIt was éarly & cold.\n\n# The end'],
  ])('%s', async (name, part) => {
    expect(await textOf({ bytes: fixture(name), name })).toContain(part)
  })

  it.each([
    ['letter.docx', 'DOCM', 'openxmlformats-officedocument.wordprocessingml.document.main', 'ms-word.document'],
    [
      'deck.pptx',
      'PPTM',
      'openxmlformats-officedocument.presentationml.presentation.main',
      'ms-powerpoint.presentation',
    ],
  ])('%s as %s', async (name, _, from, to) => {
    const bytes = await retypedFile(fixture(name), from, `${to}.macroEnabled.main`)
    expect(await textOf({ bytes })).toBe(await textOf({ bytes: fixture(name) }))
  })

  it.each(['xlsm', 'xlsb', 'biff8'] as const)('a workbook as %s', async bookType => {
    const sheet = utils.aoa_to_sheet([
      ['Day', 'Count', 'Price'],
      [new Date(Date.UTC(2026, 0, 31)), 3, { t: 'n', v: 1.5, z: '0.00' }],
    ])
    const book = utils.book_new(sheet, 'Städte')
    const text = '[Sheet: Städte]\n\n| Day | Count | Price |\n| --- | --- | --- |\n| 2026-01-31 | 3 | 1.50 |'
    expect(await textOf({ bytes: write(book, { type: 'buffer', bookType }) })).toBe(text)
  })

  it('a page that was saved, where it is called one', async () => {
    const bytes = Buffer.from('<html><title>T</title><script>x()</script><h1>Head</h1><ul><li>one</li></ul></html>')
    expect(await textOf({ bytes, name: 'page.html' })).toMatch(/# Head\n\n-\s+one/)
    expect(await textOf({ bytes })).toBe(bytes.toString())
  })

  it.each([
    ['UTF-16', Buffer.from('\ufeffÄrger, 日本語', 'utf16le'), 'Ärger, 日本語'],
    ['Latin-1 CSV', Buffer.from('Stra\xdfe;3\n', 'latin1'), 'Straße;3\n'],
    ['JSON', Buffer.from('{"a": [1, 2]}'), '{"a": [1, 2]}'],
    ['source code', Buffer.from('#!/bin/sh\necho "$HOME"\n'), '#!/bin/sh\necho "$HOME"\n'],
  ])('%s', async (_, bytes, text) => {
    expect(await textOf({ bytes })).toBe(text)
  })

  async function textOf(sent: Sent): Promise<string> {
    const answer = await parse({ ...sent, format: 'text' })
    expect(answer.status).toBe(200)
    return answer.text()
  }
})

describe('POST /api/v1/augment/text-parser: what cannot be read', () => {
  const bombs: readonly (readonly [string, () => Buffer, string])[] = [
    ['a protected PDF', () => fixture('password.pdf'), 'it is protected with a password'],
    ['a scanned PDF', () => fixture('scanned.pdf'), 'its pages hold no text'],
    ['a picture', () => fixture('photo.heic'), 'it is an image'],
    [
      'a program',
      () => Buffer.from('7f454c4602010100000000000000000002003e0001000000', 'hex'),
      'this kind of file cannot',
    ],
    ['half a document', () => fixture('letter.docx').subarray(0, 9_000), 'it is damaged'],
    [
      'a container that lies',
      () => docxFile({ more: [{ name: 'x', content: 'y', claimedBytes: 1e9 }] }),
      'reading it takes more memory',
    ],
    ['a page that inflates to 400 MB', () => pdfFile([Buffer.alloc(4e8, ' ')]), 'reading it takes more memory'],
  ]

  it.each(bombs)('%s is 400 that says so, and free', async (_, make, reason) => {
    const before = await spentNano()
    const answer = await parse({ bytes: make() })
    const body = (await answer.json()) as { error: string; issues: { path: string[] }[] }
    expect([answer.status, body.issues[0]?.path]).toEqual([400, ['file']])
    expect(body.error).toContain(`The file could not be processed: ${reason}`)
    expect(await spentNano()).toBe(before)
  })

  it('leaves the next file as it is', async () => {
    const answers = await Promise.all([
      parse({ bytes: pdfFile([Buffer.alloc(4e8, ' ')]) }),
      parse({ bytes: pdfFile([pageOf(['unharmed'])]) }),
      parse({ bytes: docxFile({ text: 'unharmed too' }) }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 200])
  })
})

describe('POST /api/v1/augment/text-parser: 4xx before anything is read', () => {
  it.each([
    ['without a file', () => new FormData(), ['file']],
    ['with a format that there is not', () => formOf('x', 'xml'), ['response_format']],
  ])('400 %s', async (_, form, path) => {
    const answer = await post(form(), 'reader')
    const body = (await answer.json()) as { error: string; issues: { path: string[] }[] }
    expect([answer.status, body.error, body.issues[0]?.path]).toEqual([400, 'Invalid request parameters', path])
  })

  it.each([
    ['another type', { 'content-type': 'application/json' }, "'Content-Type' must be 'multipart/form-data'"],
    ['no boundary', { 'content-type': 'multipart/form-data' }, "'Content-Type' must be 'multipart/form-data'"],
    ['a form that breaks off', { 'content-type': 'multipart/form-data; boundary=x' }, 'no form that can be read'],
  ])('400 for %s', async (_, headers, text) => {
    const answer = await post('{"file": 1}', 'reader', headers)
    expect(answer.status).toBe(400)
    expect(((await answer.json()) as { error: string }).error).toContain(text)
  })

  it('402 without credentials, and for an account that cannot pay', async () => {
    expect((await parse({ bytes: Buffer.from('x'), account: null })).status).toBe(402)
    const poor = await parse({ bytes: Buffer.from('x'), account: 'broke' })
    expect([poor.status, ((await poor.json()) as { code: string }).code]).toEqual([402, 'INSUFFICIENT_BALANCE'])
  })

  it('405 for other methods', async () => {
    expect((await call('GET', '/augment/text-parser')).status).toBe(405)
  })

  it('413 for a file above 25 MiB, whether its length was announced or not', async () => {
    const bytes = Buffer.alloc(26_214_401, 'x')
    const answer = await parse({ bytes })
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })
})

it.each(['file', 'another'])(
  'a form that ends anywhere, in a field or in the file `%s`, is 400, and the gateway lives on',
  async field => {
    const part = (name: string, text: string) =>
      `--x\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${text}\r\n`
    const whole = `${part('response_format', 'json')}${part(`"${field}"; filename="a.txt"`, 'hello')}--x--`
    const before = await spentNano()
    for (let end = 0; end < whole.length - 2; end += 1) {
      const headers = { 'content-type': 'multipart/form-data; boundary=x' }
      const answer = await post(whole.slice(0, end), 'reader', headers)
      expect([end, answer.status]).toEqual([end, 400])
      await answer.body?.cancel()
    }
    expect(gateway.process.exit).toBeUndefined()
    expect(await spentNano()).toBe(before)
  },
)

describe('POST /api/v1/augment/text-parser: a body without end', () => {
  const form = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\na\r\n--x--\r\n'
  const megabyte = 1_000_000
  const chunk = (bytes: string) => `${bytes.length.toString(16)}\r\n${bytes}\r\n`

  it.each([
    ['behind its form is 413 once a form could not be larger', 'reader', 27, 413],
    ['is refused at once where its sender is not known', null, 0, 402],
  ] as const)('%s, and its connection is closed', async (_, account, megabytes, status) => {
    const connection = await openRaw(Number(new URL(gateway.url).port))
    const credentials = account === null ? [] : [`Authorization: Bearer ${keyOf(account)}`]
    const type = 'Content-Type: multipart/form-data; boundary=x'
    const head = ['POST /api/v1/augment/text-parser HTTP/1.1', 'Host: x', type, ...credentials]
    await connection.send([...head, 'Transfer-Encoding: chunked', '', ''].join('\r\n'))
    await connection.send(chunk(form))
    for (let sent = 0; sent < megabytes; sent++) await connection.send(chunk('a'.repeat(megabyte)))
    const answer = await connection.response()
    expect([answer.status, answer.headers['connection']]).toEqual([status, 'close'])
    await waitFor('the end', () => connection.closedBy ?? connection.send(chunk('a')).then(() => null))
  })
})

function formOf(text: string, format: string): FormData {
  const form = new FormData()
  form.append('file', new Blob([text]), 'a.txt')
  form.append('response_format', format)
  return form
}

it('nothing of a file stays on disk', async () => {
  const words = 'words that stand in one file only'
  expect((await parse({ bytes: Buffer.from(words), name: 'named-by-nobody-else.txt' })).status).toBe(200)
  const { folder } = gateway.installation
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  expect(files.length).toBeGreaterThan(0)
  const holders = files.filter(({ parentPath, name }) => {
    const content = readFileSync(join(parentPath, name))
    return content.includes(words) || content.includes('named-by-nobody-else')
  })
  expect(holders.map(({ name }) => name)).toEqual([])
})
