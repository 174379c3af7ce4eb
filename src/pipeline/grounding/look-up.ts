import type { Grounding } from '../../core/grounding.ts'
import type { Model } from '../../core/model.ts'
import type { Principal } from '../../core/principal.ts'
import { lastingTimeout } from '../../lib/lasting-timeout.ts'
import type { GroundingTools } from './grounding-tools.ts'
import { nothingFound } from './nothing-found.ts'
import type { GroundingPlan } from './plan-grounding.ts'
import { readQuestionPages } from './read-question-pages.ts'
import { searchWeb } from './search-web.ts'

/** For everything that is looked up for one request; what came until then is used. */
const lookUpMs = 8_000
/** Pages that take longer than this leave a search no time. */
const pagesBeforeSearchMs = 5_000

export interface LookUpOptions {
  readonly tools: GroundingTools
  readonly accountId: Principal['accountId']
  /** The model that was asked. */
  readonly model: Model
  /** Wall time, which says what is new. */
  readonly nowMs: number
}

/** Time for one step of it: `within` ends it, `signal` is the caller's own. */
export interface LookUpSignals {
  readonly within: AbortSignal
  readonly signal: AbortSignal
}

/** Sources that were found, not yet cut to what a prompt has room for; null when nothing was to be looked up. */
export async function lookUp(
  plan: GroundingPlan,
  options: LookUpOptions,
  signal: AbortSignal,
): Promise<Grounding | null> {
  if (plan.skipped !== null) return nothingFound('search', plan.skipped)
  const within = AbortSignal.any([signal, lastingTimeout(lookUpMs)])
  const pages = await pagesOf(plan, options, { within, signal })
  if (pages !== null && (pages.sources.length > 0 || plan.search === null)) return pages
  return searchWeb(plan, options, { within, signal })
}

async function pagesOf(
  plan: GroundingPlan,
  options: LookUpOptions,
  { within, signal }: LookUpSignals,
): Promise<Grounding | null> {
  if (plan.addresses.length === 0) return null
  if (plan.search === null) return readQuestionPages(plan, options, { within, signal })
  const soon = AbortSignal.any([within, lastingTimeout(pagesBeforeSearchMs)])
  return readQuestionPages(plan, options, { within: soon, signal })
}
