import type { AdmissionRequest } from '../../../../domain/admission/types.ts'
import type { OperationResult } from '../../groups/operations.ts'
import { packFault } from '../../groups/pack-fault.ts'
import type { PostgresPool } from '../postgres-pool.ts'
import { checkQuantities } from './admissions.ts'
import { askDatabase } from './budgeted-admissions.ts'
import { runInHalves } from './run-in-halves.ts'

/** Decides admissions in their order, in one round trip unless one of them cannot be written. */
export async function runAdmissions(
  pool: PostgresPool,
  requests: readonly AdmissionRequest[],
): Promise<readonly OperationResult[]> {
  const refused = requests.map(refusalOf)
  const sound = requests.filter((_, index) => refused[index] === null)
  const results = sound.length === 0 ? [] : await runInHalves(sound, some => admit(pool, some))
  let next = 0
  return refused.map(refusal => refusal ?? results[next++] ?? noAnswer)
}

/** What is no quantity at all is refused here, so that it costs the rest of the group nothing. */
function refusalOf(request: AdmissionRequest): OperationResult | null {
  try {
    checkQuantities(request)
    return null
  } catch (error) {
    return { error: packFault(error, 'other') }
  }
}

async function admit(pool: PostgresPool, requests: readonly AdmissionRequest[]): Promise<readonly OperationResult[]> {
  const decisions = await askDatabase(pool, requests)
  return requests.map((_, index) => {
    const value = decisions[index]
    return value === undefined ? noAnswer : { value }
  })
}

const noAnswer: OperationResult = { error: { name: 'StoreUnavailable', message: 'the store gave no answer' } }
