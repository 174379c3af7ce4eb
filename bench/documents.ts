/**
 * How long files take that callers send: one at a time and several, in children as the gateway runs them.
 * `npm run build && npx tsx bench/documents.ts`
 */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { openDocuments } from '../src/adapters/documents/open-documents.ts'
import { systemClock } from '../src/adapters/system/system-clock.ts'
import { systemTimers } from '../src/adapters/system/system-timers.ts'
import { pageOf, pdfFile } from '../test/support/documents/pdf-file.ts'
import { fixture } from '../test/support/documents/use-documents.ts'

const rounds = 10
const childrenMax = Math.max(2, availableParallelism())
const documents = openDocuments({
  childrenMax,
  memoryBytesMax: 512 * 1_048_576,
  cpuMsMax: 10_000,
  wallMsMax: 60_000,
  clock: systemClock,
  timers: systemTimers,
})

const words = 'the quick brown fox jumps over the lazy dog and comes back again'
const page = pageOf(Array.from({ length: 45 }, (_, at) => `${at} ${words}`))
const files: readonly (readonly [string, Buffer, number])[] = [
  ['text', Buffer.from(`${words}\n`.repeat(200)), 1],
  ['PDF, 100 pages of 45 lines', pdfFile(Array.from({ length: 100 }, () => page)), 100],
  ['PDF, 2 pages', fixture('report.pdf'), 2],
  ['DOCX', fixture('letter.docx'), 1],
  ['PPTX, 3 slides', fixture('deck.pptx'), 3],
  ['XLSX, 2 sheets', fixture('orders.xlsx'), 2],
  ['XLS, 2 sheets', fixture('alt.xls'), 2],
  ['EPUB, 2 chapters', fixture('book.epub'), 2],
]

let account = 0

/** Each time as another account, so that nothing is found in the cache. */
async function read(bytes: Buffer): Promise<void> {
  account += 1
  const document = { bytes, name: null, mediaType: null, accountId: `acc_${account}` }
  const { kind } = await documents.reader.read(document, AbortSignal.timeout(60_000))
  if (kind !== 'text') throw new Error(`read as ${kind}`)
}

async function decode(bytes: Buffer): Promise<void> {
  account += 1
  const image = { bytes, accountId: `acc_${account}` }
  const { kind } = await documents.decoder.decode(image, AbortSignal.timeout(60_000))
  if (kind !== 'image') throw new Error(`decoded as ${kind}`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Processor time of all children that have ended, in milliseconds: what a busy machine does not stretch. */
function childrenCpuMs(): number {
  const stat = readFileSync('/proc/self/stat', 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

async function measure(name: string, pages: number, work: () => Promise<void>): Promise<Record<string, string>> {
  const beganCpuMs = childrenCpuMs()
  const alone: number[] = []
  for (let round = 0; round < rounds; round += 1) alone.push(await timed(work))
  const togetherMs = await timed(() => Promise.all(Array.from({ length: childrenMax * 5 }, work)))
  const cpuMs = (childrenCpuMs() - beganCpuMs) / (rounds + childrenMax * 5)
  const median = alone.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0
  return {
    file: name,
    'CPU ms': cpuMs.toFixed(0),
    'alone, median ms': median.toFixed(0),
    'files/s together': ((childrenMax * 5_000) / togetherMs).toFixed(1),
    'pages/s together': ((pages * childrenMax * 5_000) / togetherMs).toFixed(0),
  }
}

console.log(`first file of all, with the start of a child: ${(await timed(() => read(files[0]![1]))).toFixed(0)} ms`)
const rows: Record<string, string>[] = []
for (const [name, bytes, pages] of files) rows.push(await measure(name, pages, () => read(bytes)))
rows.push(await measure('image, HEIC 160 × 120', 1, () => decode(fixture('photo.heic'))))
console.table(rows)
await documents.close()
