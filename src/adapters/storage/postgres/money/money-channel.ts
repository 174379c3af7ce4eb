import { failpoint } from '../../../../lib/failpoint.ts'
import { reach } from '../../groups/group-failpoints.ts'
import type { GroupChannel } from '../../groups/group-sender.ts'
import type { Operation, OperationResult } from '../../groups/operations.ts'
import type { PostgresPool } from '../postgres-pool.ts'
import { lowerHold } from './lower-hold.ts'
import { postTransfer } from './post-transfer.ts'
import { resolveAbandoned } from './resolve-abandoned.ts'
import { runAdmissions } from './run-admissions.ts'
import { runInHalves } from './run-in-halves.ts'
import { type Resolving, runSettlements } from './run-settlements.ts'

/**
 * Runs groups of operations: all admissions of a group are one statement and so one transaction, and all settlements and
 * marks another; what is rare comes one by one. `onFatal` is told when the server reports damage.
 */
export function createMoneyChannel(pool: PostgresPool, onFatal: (error: Error) => void): GroupChannel {
  async function runOrEnd(group: readonly Operation[]): Promise<readonly OperationResult[]> {
    try {
      return await runGroup(pool, group)
    } catch (error) {
      onFatal(new Error('the database reports damage, or gave an answer that cannot be read', { cause: error }))
      throw error
    }
  }

  return {
    async run(group) {
      reach('before', group)
      failpoint('group.flush_start')
      reach('inside', group)
      const results = await runOrEnd(group)
      reach('after', group)
      failpoint('group.flush_end')
      return results
    },
    close: () => Promise.resolve(),
  }
}

async function runGroup(pool: PostgresPool, group: readonly Operation[]): Promise<readonly OperationResult[]> {
  const admissions = group.filter(isAdmission)
  const resolving = group.filter(isResolving)
  const admitted = await runAdmissions(
    pool,
    admissions.map(({ request }) => request),
  )
  const resolved = await runSettlements(pool, resolving)
  const results = new Map<Operation, OperationResult | undefined>([
    ...admissions.map((operation, index) => [operation, admitted[index]] as const),
    ...resolving.map((operation, index) => [operation, resolved[index]] as const),
  ])
  const all: OperationResult[] = []
  for (const operation of group) all.push(results.get(operation) ?? (await runRare(pool, operation)))
  return all
}

function isAdmission(operation: Operation): operation is Extract<Operation, { readonly kind: 'admit' }> {
  return operation.kind === 'admit'
}

function isResolving(operation: Operation): operation is Resolving {
  return operation.kind === 'settle' || operation.kind === 'mark'
}

async function runRare(pool: PostgresPool, operation: Operation): Promise<OperationResult> {
  switch (operation.kind) {
    case 'post':
      return await postTransfer(pool, operation.transfer)
    case 'lower':
      return await lowerHold(pool, operation.hold)
    case 'resolve':
      return await resolveAbandoned(pool, operation)
    case 'probe':
      return await probe(pool)
    default:
      return { error: { name: 'Error', message: `${operation.kind} gave no result` } }
  }
}

async function probe(pool: PostgresPool): Promise<OperationResult> {
  const [result] = await runInHalves(['probe'], async () => {
    await pool.query('select rialto_probe()')
    return [{ value: undefined }]
  })
  return result ?? { value: undefined }
}
