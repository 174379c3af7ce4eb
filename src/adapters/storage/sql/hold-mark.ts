import type { ProgressMark } from '../../../domain/ledger/types.ts'
import { fromDbAmountOrNull, fromDbNumber, type RawInteger } from './mapping.ts'

export type HoldMark = Pick<ProgressMark, 'chargeNano' | 'promptTokens' | 'completionTokens' | 'fees'>

interface MarkRow {
  readonly mark_charge_nano: RawInteger | null
  readonly mark_prompt_tokens: RawInteger | null
  readonly mark_completion_tokens: RawInteger | null
  readonly mark_searches: RawInteger | null
  readonly mark_pages: RawInteger | null
}

/** The last mark of an open hold; null where it has none. Those of older versions say nothing of fees. */
export function fromDbHoldMark(row: MarkRow): HoldMark | null {
  const chargeNano = fromDbAmountOrNull(row.mark_charge_nano)
  if (chargeNano === null) return null
  return {
    chargeNano,
    promptTokens: fromDbNumber(row.mark_prompt_tokens ?? 0),
    completionTokens: fromDbNumber(row.mark_completion_tokens ?? 0),
    fees: { searches: fromDbNumber(row.mark_searches ?? 0), pages: fromDbNumber(row.mark_pages ?? 0) },
  }
}
