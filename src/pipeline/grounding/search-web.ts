import type { Grounding } from '../../core/grounding.ts'
import { decideSearch } from '../../domain/search/auto/decide-search.ts'
import { makeQuery } from '../../domain/search/query/make-query.ts'
import { defuse } from './defuse.ts'
import type { LookUpOptions, LookUpSignals } from './look-up.ts'
import { nothingFound } from './nothing-found.ts'
import type { GroundingPlan, SearchPlan } from './plan-grounding.ts'
import { readResultPages } from './read-result-pages.ts'

/** What a search finds, with the pages of its first results where they are wished; null where `auto` decides against it. */
export async function searchWeb(
  plan: GroundingPlan,
  options: LookUpOptions,
  { within, signal }: LookUpSignals,
): Promise<Grounding | null> {
  const found = await findInTime(plan, options, { within, signal })
  if (found === null) return null
  const sources = await readResultPages(found.sources, plan, { ...options, within })
  signal.throwIfAborted()
  return { ...found, sources }
}

async function findInTime(
  { search, wish }: GroundingPlan,
  options: LookUpOptions,
  { within, signal }: LookUpSignals,
): Promise<Grounding | null> {
  try {
    if (search === null || !(await isWanted(search, options, within))) return null
    return await resultsFor(search, { ...options, limit: wish.results }, within)
  } catch (error) {
    signal.throwIfAborted()
    if (within.aborted) return nothingFound('search', 'timeout')
    throw error
  }
}

async function isWanted({ mode, turns }: SearchPlan, { tools, model, nowMs }: LookUpOptions, signal: AbortSignal) {
  if (mode === 'on') return true
  const questions = turns.flatMap(({ role, text }) => (role === 'user' ? text : []))
  const nowYear = new Date(nowMs).getUTCFullYear()
  return (await decideSearch(questions, { nowYear, model: tools.classifierFor(model) }, signal)).search
}

async function resultsFor(
  { turns }: SearchPlan,
  { tools, accountId, limit }: LookUpOptions & { readonly limit: number },
  signal: AbortSignal,
): Promise<Grounding> {
  const made = makeQuery(turns)
  if (made === null) return nothingFound('search', 'no_results')
  const outcome = await tools.search.search({ ...made, limit, accountId, provider: null }, signal)
  if (!('results' in outcome)) return nothingFound('search', outcome.reason === 'empty' ? 'no_results' : outcome.reason)
  const sources = outcome.results.map(result => defuse({ ...result, isPage: false }))
  return { kind: 'search', sources, error: null }
}
