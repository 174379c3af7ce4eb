import { packSettlement } from '../../../src/adapters/storage/groups/money-store.ts'
import type { Operation } from '../../../src/adapters/storage/groups/operations.ts'
import type { AdmissionRequest } from '../../../src/domain/admission/types.ts'
import type { Account, ApiKey } from '../../../src/domain/identity/types.ts'
import type { Transfer } from '../../../src/domain/ledger/types.ts'
import { buildAccount, buildGrant, buildKey, buildRequest, buildSettlement, nowMs, usd } from '../builders.ts'
import type { KeySetup, Script, Turn } from './script.ts'

export const priceVersion = 'price_alike'

const requestMs = 60_000

/** Holds are chosen among these last ones: older ones are mostly settled. */
const recent = 24

/** The accounts, keys and groups of operations that a script means, the same for every store that plays it. */
export interface Play {
  readonly accounts: readonly Account[]
  readonly keys: readonly ApiKey[]
  readonly groups: readonly (readonly Operation[])[]
}

/** Two keys to an account, of which the second is strict. */
export function playOf({ keys: setups, turns }: Script): Play {
  const accounts = [
    buildAccount({ mode: 'soft' }),
    buildAccount({ mode: 'strict', diemPerDayNano: usd }),
    buildAccount({ mode: 'soft', diemPerDayNano: usd / 3n }),
  ]
  const keys = setups.map((setup, index) => keyOf(setup, accounts[index % accounts.length]))
  const actor = createActor(keys)
  const grants = accounts.map(({ id }) => buildGrant(id, 2n * usd))
  const credits = accounts
    .slice(1)
    .flatMap(({ id }) => [
      buildGrant(id, usd / 2n, { currency: 'earned' }),
      buildGrant(id, usd / 2n + 1n, { currency: 'bundled' }),
    ])
  const start = [...grants, ...credits].map(transfer => ({ kind: 'post', transfer }) as const)
  return { accounts, keys, groups: [start, ...turns.flatMap(({ turn, passedMs }) => actor(turn, passedMs))] }
}

function keyOf(setup: KeySetup, account: Account | undefined): ApiKey {
  return buildKey(account?.id ?? '', setup)
}

/**
 * Holds whose settlements may come late, because they were settled or may have been resolved, are settled one by one: in one
 * group the stores take the late ones in another order, which is nobody's concern but shows in the chain.
 */
function createActor(keys: readonly ApiKey[]): (turn: Turn, passedMs: number) => readonly (readonly Operation[])[] {
  const requests: AdmissionRequest[] = []
  const doubtful = new Set<string>()
  const posted: Transfer[] = []
  let atMs = nowMs

  const chosen = (which: number): AdmissionRequest | undefined => requests.at(-1 - (which % recent))
  const keyNamed = (who: number): ApiKey => keys[who] ?? buildKey('acc_none')

  function admissions(turn: Extract<Turn, { readonly admit: unknown }>): readonly Operation[] {
    return turn.admit.map(({ who, behindMs, ...change }) => {
      const processId = `proc_${who % 2}`
      const at = { nowMs: atMs - behindMs, deadlineMs: atMs - behindMs + requestMs }
      const request = buildRequest(keyNamed(who), { ...change, ...at, processId, priceVersion })
      requests.push(request)
      return { kind: 'admit', request }
    })
  }

  function settlements(turn: Extract<Turn, { readonly settle: unknown }>): readonly (readonly Operation[])[] {
    const together: Operation[] = []
    const alone: Operation[] = []
    for (const { which, chargeNano, costDelivered, ...change } of turn.settle) {
      const request = chosen(which)
      if (request === undefined) continue
      const settlement = buildSettlement(request, chargeNano, { ...change, atMs, record: { costDelivered } })
      const group = doubtful.has(request.holdId) ? alone : together
      group.push({ kind: 'settle', settlement: packSettlement(settlement) })
      doubtful.add(request.holdId)
    }
    return [together, ...alone.map(operation => [operation])]
  }

  function marks(turn: Extract<Turn, { readonly mark: unknown }>): readonly Operation[] {
    return turn.mark.flatMap(({ which, ...change }) => {
      const request = chosen(which)
      return request === undefined ? [] : [{ kind: 'mark', mark: { holdId: request.holdId, ...change, atMs } } as const]
    })
  }

  function lowerings(turn: Extract<Turn, { readonly lower: unknown }>): readonly Operation[] {
    return turn.lower.flatMap(({ which, amountNano }) => {
      const request = chosen(which)
      return request === undefined ? [] : [{ kind: 'lower', hold: { holdId: request.holdId, amountNano } } as const]
    })
  }

  function posts(turn: Extract<Turn, { readonly post: unknown }>): readonly Operation[] {
    return turn.post.map(({ who, code, currency, amountNano, note, repeats, which }) => {
      const before = posted.at(-1)
      if (repeats && before !== undefined) return { kind: 'post', transfer: { ...before, note } }
      const { accountId } = keyNamed(who)
      const customer = `customer:${accountId}`
      const debit = code === 'clawback' ? customer : code === 'refund' ? 'revenue' : 'funding:manual'
      const credit = code === 'clawback' ? 'funding:manual' : customer
      const holdId = which === null ? null : (chosen(which)?.holdId ?? 'hold_none')
      const transfer = buildGrant(accountId, amountNano, {
        code,
        debit,
        credit,
        currency,
        note,
        holdId,
        createdAtMs: atMs,
      })
      posted.push(transfer)
      return { kind: 'post', transfer }
    })
  }

  return (turn, passedMs) => {
    atMs += passedMs
    if ('admit' in turn) return [admissions(turn)]
    if ('settle' in turn) return settlements(turn)
    if ('mark' in turn) return [marks(turn)]
    if ('lower' in turn) return [lowerings(turn)]
    if ('post' in turn) return [posts(turn)]
    for (const { holdId } of requests) doubtful.add(holdId)
    const { overdue, limit } = turn.resolve
    const abandoned = overdue
      ? ({ kind: 'overdue', deadlineBeforeMs: atMs } as const)
      : ({ kind: 'process', processId: 'proc_1' } as const)
    return [[{ kind: 'resolve', abandoned, atMs, limit }]]
  }
}
