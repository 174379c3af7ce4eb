import type { Grounding, Source } from '../../core/grounding.ts'
import type { ReadPage } from '../../core/page-reader.ts'
import { cutText } from './cut-text.ts'
import { defuse } from './defuse.ts'
import { pageOf } from './find-addresses.ts'
import type { LookUpOptions, LookUpSignals } from './look-up.ts'
import { nothingFound } from './nothing-found.ts'
import type { GroundingPlan } from './plan-grounding.ts'
import { readInTime } from './read-in-time.ts'

/** Title and address of a page, and its share of what stands around all of them. */
const pageHeadBytes = 4_096

/** The pages that the question names, in its order, each cut to its share of the prompt. */
export async function readQuestionPages(
  { addresses, contextBytesMax }: GroundingPlan,
  options: LookUpOptions,
  { within, signal }: LookUpSignals,
): Promise<Grounding> {
  const partBytes = Math.floor(contextBytesMax / addresses.length) - pageHeadBytes
  const readings = await Promise.all(addresses.map(address => readInTime(address, options, within)))
  signal.throwIfAborted()
  const pages = eachOnce(readings.flatMap(reading => (reading?.kind === 'page' ? [reading.page] : [])))
  const sources = pages.map(page => sourceOf(page, partBytes))
  if (sources.length > 0) return { kind: 'pages', sources, error: null }
  return nothingFound('pages', readings.every(reading => reading?.kind === 'disallowed') ? 'disallowed' : 'unreadable')
}

/** Several addresses can lead on to one page, which is then one source, for one fee. */
function eachOnce(pages: readonly ReadPage[]): readonly ReadPage[] {
  const addresses = pages.map(({ url }) => pageOf(url))
  return pages.filter((_, at) => addresses.indexOf(addresses[at] as string) === at)
}

function sourceOf({ title, url, content, date }: ReadPage, bytesMax: number): Source {
  const source = defuse({ title, url, content, date, isPage: true })
  return { ...source, content: cutText(source.content, bytesMax) }
}
