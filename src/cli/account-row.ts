import { balancesOf } from '../core/currency.ts'
import { formatUsd } from '../core/money.ts'
import type { Account } from '../domain/identity/types.ts'
import type { Balance } from '../domain/ledger/types.ts'
import { renderTable } from './render-table.ts'

/** An account as `--json` prints it (operator.md §6): amounts are decimal strings. */
export interface AccountRow extends Partial<OtherCurrencies> {
  readonly id: string
  readonly name: string
  readonly mode: string
  readonly balanceUsd: string
  readonly availableUsd: string
  readonly heldUsd: string
}

/** What stands there for an account that has more than dollars; balances as they are booked, like `balanceUsd`. */
interface OtherCurrencies {
  readonly earned: string
  readonly bundled: string
  readonly diemPerDay: string
  /** What is left of today's allowance, in UTC. */
  readonly diemLeft: string
}

export function encodeAccount({ id, name, mode }: Account, balance: Balance, nowMs: number): AccountRow {
  const { balanceNano, heldNano } = balance
  return {
    id,
    name,
    mode,
    balanceUsd: formatUsd(balanceNano),
    availableUsd: formatUsd(balanceNano - heldNano),
    heldUsd: formatUsd(heldNano),
    ...otherCurrencies(balance, nowMs),
  }
}

function otherCurrencies({ balanceNano, funds }: Balance, nowMs: number): OtherCurrencies | null {
  const { diemPerDayNano, earnedNano, bundledNano } = funds
  if (diemPerDayNano === 0n && earnedNano === 0n && bundledNano === 0n) return null
  return {
    earned: formatUsd(earnedNano),
    bundled: formatUsd(bundledNano),
    diemPerDay: formatUsd(diemPerDayNano),
    diemLeft: formatUsd(balancesOf(balanceNano, funds, nowMs).diemNano),
  }
}

export function renderAccount(account: Account, balance: Balance, nowMs: number): string {
  const row = encodeAccount(account, balance, nowMs)
  const { earned, bundled, diemLeft, diemPerDay } = row
  const others =
    diemLeft === undefined
      ? []
      : [
          ['DIEM', `${diemLeft} left of ${diemPerDay} a day`],
          ['earned', `${earned} USD`],
          ['bundled', `${bundled} USD`],
        ]
  return renderTable([
    ['account', row.name],
    ['id', row.id],
    ['mode', row.mode],
    ...(account.pro ? [['pro', 'yes']] : []),
    ['balance', `${row.balanceUsd} USD`],
    ['available', `${row.availableUsd} USD`],
    ['held', `${row.heldUsd} USD`],
    ...others,
    ['created', new Date(account.createdAtMs).toISOString()],
  ])
}

/** Columns of other currencies are there when an account has any. */
export function renderAccounts(rows: readonly AccountRow[]): string {
  const hasOthers = rows.some(row => row.diemLeft !== undefined)
  const names = hasOthers ? ['DIEM LEFT', 'EARNED', 'BUNDLED'] : []
  const head = ['NAME', 'MODE', 'BALANCE USD', 'AVAILABLE', 'HELD', ...names, 'ID']
  const cells = rows.map(row => {
    const others = hasOthers ? [row.diemLeft ?? '0', row.earned ?? '0', row.bundled ?? '0'] : []
    return [row.name, row.mode, row.balanceUsd, row.availableUsd, row.heldUsd, ...others, row.id]
  })
  return renderTable([head, ...cells], { right: [2, 3, 4, ...names.map((_, index) => 5 + index)] })
}
