import type { Source } from '../../core/grounding.ts'
import { frameBytesMax, sourceBytes } from './context-message.ts'
import { cutText } from './cut-text.ts'
import { defuse } from './defuse.ts'
import type { LookUpOptions } from './look-up.ts'
import { type GroundingPlan, resultPageBytesMax } from './plan-grounding.ts'
import { readInTime } from './read-in-time.ts'

/** Less of a page says hardly more than the provider's extract of it. */
const worthReadingBytes = 2_048

/**
 * The same results in the same order; the first ones say what their pages say, where these could be read in time and the
 * prompt has room for them beside all the other results.
 */
export async function readResultPages(
  results: readonly Source[],
  { search, contextBytesMax }: GroundingPlan,
  { within, ...options }: LookUpOptions & { readonly within: AbortSignal },
): Promise<readonly Source[]> {
  const pages = results.filter(isWebPage).slice(0, search?.readPages ?? 0)
  if (pages.length === 0) return results
  const taken = results.reduce((sum, result) => sum + sourceBytes(result), frameBytesMax)
  const bytesMax = Math.min(Math.floor((contextBytesMax - taken) / pages.length), resultPageBytesMax)
  if (bytesMax < worthReadingBytes) return results
  const read = new Map(
    await Promise.all(
      pages.map(async result => [result, await withPage(result, { bytesMax, within, options })] as const),
    ),
  )
  return results.map(result => read.get(result) ?? result)
}

/** The operator's own documents were read when they were added. */
function isWebPage({ url }: Source): boolean {
  return /^https?:/.test(url)
}

interface PageRoom {
  readonly bytesMax: number
  readonly within: AbortSignal
  readonly options: LookUpOptions
}

async function withPage(result: Source, { bytesMax, within, options }: PageRoom): Promise<Source> {
  const reading = await readInTime(result.url, options, within)
  if (reading?.kind !== 'page') return result
  const { content, date } = reading.page
  const page = defuse({ ...result, content, date: result.date ?? date, isPage: true })
  return { ...page, content: cutText(page.content, bytesMax) }
}
