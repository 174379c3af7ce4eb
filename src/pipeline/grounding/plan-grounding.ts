import type { PromptSize } from '../../core/completion-request.ts'
import type { GroundingError, GroundingWish } from '../../core/grounding.ts'
import type { Model } from '../../core/model.ts'
import type { Fees } from '../../core/price.ts'
import type { Turn } from '../../domain/search/query/make-query.ts'
import type { JsonObject } from '../../lib/json.ts'
import { hasImage, lastQuestion, textOf, turnsOf } from './conversation.ts'
import { findAddresses } from './find-addresses.ts'

/**
 * What will be looked up once it is paid for: pages, a search, or pages and a search where none of them can be read; or
 * nothing, and why not.
 */
export interface GroundingPlan {
  readonly wish: GroundingWish
  /** Pages that the question names. */
  readonly addresses: readonly string[]
  /** Null where nothing is searched for. */
  readonly search: SearchPlan | null
  /** Why nothing is looked up though it was asked for outright; null where something is. */
  readonly skipped: GroundingError | null
  /** UTF-8 bytes of the message that results and pages may take in the prompt. */
  readonly contextBytesMax: number
}

export interface SearchPlan {
  readonly mode: 'on' | 'auto'
  readonly turns: readonly Turn[]
  /** Pages of the first results that are read too. */
  readonly readPages: number
}

/** How many pages are read for one request, as the operator says. */
export interface PageAllowance {
  /** Of those that the question names. */
  readonly named: number
  /** Of those that a search finds. */
  readonly ofResults: number
}

/** What results may take of a prompt, each page that a question names, and each page of a result. */
const resultsBytesMax = 40_960
const pageBytesMax = 32_768
export const resultPageBytesMax = 12_288

interface PlanGround {
  readonly messages: readonly JsonObject[]
  readonly model: Pick<Model, 'contextTokens' | 'capabilities'>
  readonly pages: PageAllowance
}

/**
 * What a request wants looked up. Nothing is searched for where the last question holds an image, or an address that is
 * to be read (venice.md §3) and can be; and nothing at all for a model that takes nothing from the web. Null for nothing.
 */
export function planGrounding(wish: GroundingWish | null, ground: PlanGround): GroundingPlan | null {
  const question = lastQuestion(ground.messages)
  if (wish === null) return null
  if (question === undefined) return planNothing(wish, false, 'no_results')
  const addresses = wish.scrape ? findAddresses(textOf(question['content']), ground.pages.named) : []
  const search = addresses.length > 0 && !wish.searchUnread ? null : planSearch(wish, question, ground)
  if (!ground.model.capabilities.webSearch) return planNothing(wish, addresses.length > 0, 'unsupported')
  if (addresses.length === 0 && search === null) return planNothing(wish, false, 'image')
  const wanted = Math.max(addresses.length * pageBytesMax, search === null ? 0 : searchBytes(search))
  return { wish, addresses, search, skipped: null, contextBytesMax: Math.min(ground.model.contextTokens, wanted) }
}

/** Whoever left it to the prompt whether something is looked up is told nothing. */
function planNothing(wish: GroundingWish, namesPages: boolean, skipped: GroundingError): GroundingPlan | null {
  return wish.search === 'on' || namesPages ? { wish, addresses: [], search: null, skipped, contextBytesMax: 0 } : null
}

function planSearch(wish: GroundingWish, question: JsonObject, { messages, pages }: PlanGround): SearchPlan | null {
  if (wish.search === 'off' || hasImage(question)) return null
  const readPages = wish.readResults ? Math.min(pages.ofResults, wish.results) : 0
  return { mode: wish.search, turns: turnsOf(messages), readPages }
}

function searchBytes({ readPages }: SearchPlan): number {
  return resultsBytesMax + readPages * resultPageBytesMax
}

/** The prompt when all of it is there that the plan may put into it. */
export function promptWithContext(prompt: PromptSize, plan: GroundingPlan | null): PromptSize {
  if (plan === null || plan.skipped !== null) return prompt
  return { ...prompt, boundBytes: prompt.boundBytes + plan.contextBytesMax, messages: prompt.messages + 1 }
}

/** The dearest fees that the plan can cause: pages of the question and those of results are never read both. */
export function feesOfPlan(plan: GroundingPlan | null): Fees {
  if (plan === null) return { searches: 0, pages: 0 }
  const { addresses, search } = plan
  return {
    searches: search === null ? 0 : 1,
    pages: Math.max(addresses.length, search?.readPages ?? 0),
  }
}
