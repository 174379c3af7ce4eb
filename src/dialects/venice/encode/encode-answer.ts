import type { AnswerEncoder, AnswerFacts, JsonMembers } from '../../../core/answer-encoder.ts'
import { formatUsd } from '../../../core/money.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { VeniceSettings } from '../settings.ts'
import { encodeCitations } from './encode-citations.ts'
import { encodeErrorEvent, veniceErrors } from './encode-error.ts'
import { answerHeaders } from './encode-headers.ts'
import { encodeSettings } from './encode-settings.ts'
import { usageMembers, usageObject } from './encode-usage.ts'

/** What this dialect adds to an answer: the cost by currency and the settings that took effect (venice.md §2.1). */
export function createVeniceEncoder(settings: VeniceSettings): AnswerEncoder {
  return {
    ...veniceErrors,
    answerHeaders,
    usageMembers,
    usageObject,
    answerMembers: facts => ({ ...costOf(facts), venice_parameters: JSON.stringify(echoOf(settings, facts)) }),
    closingMembers: facts => citationsInStream(settings, facts),
    errorEvent: encodeErrorEvent,
  }
}

/** What took effect. Streams name what was found in a chunk of its own, and only where they were asked to. */
function echoOf(settings: VeniceSettings, { grounding, searchesX, stream }: AnswerFacts): JsonObject {
  const { web_search_citations: none, ...echo } = encodeSettings({ ...settings, enableXSearch: searchesX })
  if (grounding === null) return { ...echo, web_search_citations: none ?? [] }
  const error = grounding.error === null ? {} : { search_error: grounding.error }
  return { ...echo, ...(stream ? {} : { web_search_citations: encodeCitations(grounding) }), ...error }
}

function citationsInStream(settings: VeniceSettings, { grounding }: AnswerFacts): JsonMembers | null {
  if (!settings.includeSearchResultsInStream || grounding === null) return null
  return { venice_parameters: JSON.stringify({ web_search_citations: encodeCitations(grounding) }) }
}

/** By the currency that paid: bundled credit counts as dollars, and what earned credit paid a part of has no cost. */
function costOf({ charge }: AnswerFacts): JsonMembers {
  if (charge === null) return {}
  const { totalNano, paid } = charge
  if (paid !== undefined && paid.earnedNano > 0n) return {}
  const diemNano = paid?.diemNano ?? 0n
  return { cost: `{"usd":${formatUsd(totalNano - diemNano)},"diem":${formatUsd(diemNano)}}` }
}
