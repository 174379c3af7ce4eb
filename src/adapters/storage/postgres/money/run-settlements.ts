import type { ProgressMark } from '../../../../domain/ledger/types.ts'
import type { Operation, OperationResult, PackedSettlement } from '../../groups/operations.ts'
import type { PostgresPool } from '../postgres-pool.ts'
import { runInHalves } from './run-in-halves.ts'
import {
  decodeLate,
  decodeSettled,
  type LateAnswer,
  type SettledAnswer,
  toDbMark,
  toDbSettlement,
} from './settlements.ts'

export type Resolving = Extract<Operation, { readonly kind: 'settle' | 'mark' }>

/**
 * Settles holds in the order of their settlements, and writes progress marks with them, in one round trip. What comes for a
 * hold that is not open, or for one a second time, is looked at afterwards, one by one: that is rare.
 */
export async function runSettlements(
  pool: PostgresPool,
  operations: readonly Resolving[],
): Promise<readonly OperationResult[]> {
  if (operations.length === 0) return []
  const firsts = firstOfEachHold(operations)
  const settled = await runInHalves(firsts, some => settle(pool, some))
  const results = new Map(firsts.map((operation, index) => [operation, settled[index]]))
  const all: OperationResult[] = []
  for (const operation of operations) {
    const result = results.get(operation) ?? notOpen
    if (operation.kind === 'settle' && result === notOpen) all.push(await settleLate(pool, operation.settlement))
    else all.push(result)
  }
  return all
}

const notOpen: OperationResult = { error: { name: 'RangeError', message: 'no such hold' } }
const marked: OperationResult = { value: undefined }

function firstOfEachHold(operations: readonly Resolving[]): readonly Resolving[] {
  const seen = new Set<string>()
  return operations.filter(operation => {
    if (operation.kind === 'mark') return true
    const { holdId } = operation.settlement
    if (seen.has(holdId)) return false
    seen.add(holdId)
    return true
  })
}

/** A statement changes a row once, so only the last of several marks is sent. */
function lastOfEachHold(operations: readonly Resolving[]): readonly ProgressMark[] {
  const marks = new Map<string, ProgressMark>()
  for (const operation of operations) if (operation.kind === 'mark') marks.set(operation.mark.holdId, operation.mark)
  return [...marks.values()]
}

async function settle(pool: PostgresPool, operations: readonly Resolving[]): Promise<readonly OperationResult[]> {
  const settlements = operations.flatMap(operation => (operation.kind === 'settle' ? [operation.settlement] : []))
  const marks = lastOfEachHold(operations)
  const asked = {
    settlements: settlements.map(settlement => toDbSettlement(settlement, { swept: false })),
    marks: marks.map(toDbMark),
  }
  const answers = await askToSettle(pool, asked)
  let next = 0
  return operations.map(operation => {
    if (operation.kind === 'mark') return marked
    const answer = answers[next++] ?? null
    return answer === null ? notOpen : { value: decodeSettled(answer, operation.settlement) }
  })
}

/** Null for a hold that is not open any more. */
export async function askToSettle(
  pool: PostgresPool,
  asked: { readonly settlements: readonly object[]; readonly marks: readonly object[] },
): Promise<readonly SettledAnswer[]> {
  const text = 'select rialto_settle($1) as answers'
  const [row] = await pool.query<{ answers: readonly SettledAnswer[] }>(text, [JSON.stringify(asked)])
  return row?.answers ?? []
}

async function settleLate(pool: PostgresPool, settlement: PackedSettlement): Promise<OperationResult> {
  const asked = JSON.stringify(toDbSettlement(settlement, { swept: false }))
  const [result] = await runInHalves([settlement], async () => {
    const [row] = await pool.query<{ answer: LateAnswer }>('select rialto_settle_late($1) as answer', [asked])
    const answer = row?.answer ?? null
    return [answer === null ? notOpen : { value: decodeLate(answer) }]
  })
  return result ?? notOpen
}
