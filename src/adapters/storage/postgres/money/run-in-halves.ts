import type { OperationResult } from '../../groups/operations.ts'
import { packFault } from '../../groups/pack-fault.ts'
import { faultOf, isTransient } from '../postgres-fault.ts'

/** With what a deadlock takes to be found (1 s), three tries end before a caller stops waiting for its admission (5 s). */
const triesMax = 3

/**
 * Runs operations in one transaction. When they cannot be written together, their halves are tried, so that a bad one fails
 * alone. What the server took back because of others is tried again. When the store cannot be written now, or nobody knows
 * whether it was, all of them are refused.
 * @throws for a fault after which nothing that the server says may be believed.
 */
export async function runInHalves<T>(
  operations: readonly T[],
  run: (operations: readonly T[]) => Promise<readonly OperationResult[]>,
): Promise<readonly OperationResult[]> {
  try {
    return await runAgain(() => run(operations))
  } catch (error) {
    const fault = faultOf(error)
    if (fault === 'fatal') throw error
    if (fault === 'unavailable' || operations.length <= 1)
      return operations.map(() => ({ error: packFault(error, fault) }))
    const middle = operations.length >> 1
    const first = await runInHalves(operations.slice(0, middle), run)
    return [...first, ...(await runInHalves(operations.slice(middle), run))]
  }
}

async function runAgain<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run()
    } catch (error) {
      if (tries === triesMax || !isTransient(error)) throw error
    }
  }
}
