import { performance } from 'node:perf_hooks'
import { createEmbeddedProvider } from '../src/adapters/search/index/embedded-provider.ts'
import type { SearchIndex } from '../src/domain/search/search-index.ts'
import { cutDocument } from '../src/domain/search/text/cut-document.ts'

const documents = 200
const documentCharacters = 12_000
const queryCharacters = 300
const rounds = 15
const resultsMax = 20
const patienceMs = 20_000

interface Stall {
  readonly script: string
  /** Milliseconds of the median search, and of it those in which nothing else could run on the main thread. */
  readonly searchMs: number
  readonly mainThreadMs: number
}

/** What the largest search of long texts costs, and how long it keeps the main thread from everybody else. */
export async function measureStalls(index: SearchIndex): Promise<readonly Stall[]> {
  const scripts = { Chinese: hanText, English: latinText }
  const stalls: Stall[] = []
  for (const [script, write] of Object.entries(scripts)) {
    for (let no = 0; no < documents; no++) {
      const { chunks } = cutDocument(write(documentCharacters, no))
      await index.put({ address: `index:${script}/${no}`, title: `${script} ${no}`, chunks, addedAtMs: 0 })
    }
    stalls.push({ script, ...(await measure(index, write(queryCharacters, 0))) })
  }
  return stalls
}

async function measure(index: SearchIndex, query: string) {
  const provider = createEmbeddedProvider(index)
  const times: { searchMs: number; mainThreadMs: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const before = performance.eventLoopUtilization()
    const startedMs = performance.now()
    await provider.search(
      query,
      { limit: resultsMax, language: null, freshness: null },
      AbortSignal.timeout(patienceMs),
    )
    const searchMs = performance.now() - startedMs
    times.push({ searchMs, mainThreadMs: performance.eventLoopUtilization(before).active })
  }
  return {
    searchMs: median(times.map(time => time.searchMs)),
    mainThreadMs: median(times.map(time => time.mainThreadMs)),
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** The same text for the same number; common signs, so that every text holds some of what is asked. */
function hanText(length: number, seed: number): string {
  const next = numbersFrom(seed)
  const sign = (at: number) => (at % 24 === 23 ? '。' : String.fromCodePoint(0x4e00 + (next() % 60)))
  return Array.from({ length }, (_, at) => sign(at)).join('')
}

function latinText(length: number, seed: number): string {
  const next = numbersFrom(seed)
  const words: string[] = []
  for (let written = 0; written < length; written += words.at(-1)?.length ?? 1)
    words.push(`${(next() % 300).toString(26).replace(/\d/g, digit => 'qrstuvwxyz'[Number(digit)] ?? '')}ord `)
  return words.join('')
}

function numbersFrom(seed: number): () => number {
  let state = seed + 1
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state >> 8
  }
}

export function renderStalls(stalls: readonly Stall[]): string {
  const rows = stalls.map(
    ({ script, searchMs, mainThreadMs }) =>
      `${script.padEnd(8)} ${searchMs.toFixed(1).padStart(9)} ${mainThreadMs.toFixed(1).padStart(14)}`,
  )
  return ['script   search ms main thread ms', ...rows].join('\n')
}
