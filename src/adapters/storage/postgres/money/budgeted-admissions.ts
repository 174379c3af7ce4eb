import { decideBudget, isBudgeted } from '../../../../domain/admission/decide-budget.ts'
import type { AdmissionDecision, AdmissionRequest } from '../../../../domain/admission/types.ts'
import type { FailureCounts } from '../../../../domain/limits/types.ts'
import type { PostgresPool } from '../postgres-pool.ts'
import { type AdmissionAnswers, decodeAdmission } from './admission-answers.ts'
import { type AskedAdmissions, askAdmissions, toDbLimit } from './admissions.ts'

/** What `rialto_admit_within_budgets` returns: lists as long as what was asked, and answers for what was not refused. */
interface BudgetedAnswers {
  readonly counts: readonly (readonly [failed: number | null, unsupported: number | null, endsAtMs: number | null])[]
  readonly spent: readonly boolean[]
  readonly admitted: AdmissionAnswers
}

/** Decisions in the order of the requests; undefined where the database gave none. */
type Decisions = readonly (AdmissionDecision | undefined)[]

/** Asks the database about requests in one statement; error budgets are a part of it where requests have some. */
export async function askDatabase(pool: PostgresPool, requests: readonly AdmissionRequest[]): Promise<Decisions> {
  const asked = askAdmissions(requests)
  if (!requests.some(isBudgeted)) {
    const [row] = await pool.query<{ answer: AdmissionAnswers }>('select rialto_admit($1) as answer', [
      JSON.stringify(asked),
    ])
    return requests.map((request, index) => decode(row?.answer, { request, index, key: asked.requests[index]?.key }))
  }
  const [row] = await pool.query<{ answer: BudgetedAnswers }>('select rialto_admit_within_budgets($1) as answer', [
    JSON.stringify({ ...asked, budgets: requests.map(toDbBudget) }),
  ])
  return row === undefined ? [] : decodeBudgeted(row.answer, requests, asked)
}

function decodeBudgeted(
  { counts, spent, admitted }: BudgetedAnswers,
  requests: readonly AdmissionRequest[],
  asked: AskedAdmissions,
): Decisions {
  let next = 0
  return requests.map((request, index) => {
    const budgeted = decideBudget(countsOf(counts[index]), request)
    if (spent[index] === true) return budgeted?.refusal ?? undefined
    const decision = decode(admitted, { request, index: next++, key: asked.requests[index]?.key })
    return decision === undefined || budgeted === null ? decision : { ...decision, failures: budgeted.counts }
  })
}

interface AskedPlace {
  readonly request: AdmissionRequest
  /** Its place among the answers, and its key's from 1. */
  readonly index: number
  readonly key: number | undefined
}

function decode(
  answers: AdmissionAnswers | undefined,
  { request, index, key }: AskedPlace,
): AdmissionDecision | undefined {
  const answer = answers?.answers[index]
  const keyRates = answers?.keys[(key ?? 0) - 1]
  return answer === undefined || keyRates === undefined ? undefined : decodeAdmission(answer, request, keyRates)
}

function countsOf(row: BudgetedAnswers['counts'][number] | undefined): FailureCounts | null {
  const [failed, unsupported, endsAtMs] = row ?? []
  return endsAtMs == null ? null : { failed: failed ?? 0, unsupported: unsupported ?? 0, endsAtMs }
}

/** Its members are those of the type `rialto_asked_budget`. */
function toDbBudget({ errorBudget, keyId, model, nowMs }: AdmissionRequest): Record<string, string | number | null> {
  if (errorBudget === null) return {}
  const { user, failed, unsupported, windowMs } = errorBudget
  return {
    ...{ owner: keyId, model, user_name: user },
    ...{ failed: toDbLimit(failed), unsupported: toDbLimit(unsupported), window_ms: windowMs, now_ms: nowMs },
  }
}
