import type { LoweredHold } from '../../../../domain/ledger/types.ts'
import type { OperationResult } from '../../groups/operations.ts'
import type { PostgresPool } from '../postgres-pool.ts'
import { runInHalves } from './run-in-halves.ts'

/** Lowers one hold in a transaction of its own: only requests with media or searches ask for it. */
export async function lowerHold(pool: PostgresPool, hold: LoweredHold): Promise<OperationResult> {
  const [result] = await runInHalves([hold], async () => {
    if (hold.amountNano < 0n) throw new RangeError('a hold is not below zero')
    const asked = { hold_id: hold.holdId, amount_nano: hold.amountNano.toString() }
    await pool.query('select rialto_lower($1)', [JSON.stringify(asked)])
    return [{ value: undefined }]
  })
  return result ?? { value: undefined }
}
