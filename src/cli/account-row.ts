import { formatUsd } from '../core/money.ts'
import type { Account } from '../domain/identity/types.ts'
import type { Balance } from '../domain/ledger/types.ts'
import { renderTable } from './render-table.ts'

/** An account as `--json` prints it (operator.md §6): amounts are decimal strings. */
export interface AccountRow {
  readonly id: string
  readonly name: string
  readonly mode: string
  readonly balanceUsd: string
  readonly availableUsd: string
  readonly heldUsd: string
}

export function encodeAccount({ id, name, mode }: Account, { balanceNano, heldNano }: Balance): AccountRow {
  return {
    id,
    name,
    mode,
    balanceUsd: formatUsd(balanceNano),
    availableUsd: formatUsd(balanceNano - heldNano),
    heldUsd: formatUsd(heldNano),
  }
}

export function renderAccount(account: Account, balance: Balance): string {
  const row = encodeAccount(account, balance)
  return renderTable([
    ['account', row.name],
    ['id', row.id],
    ['mode', row.mode],
    ...(account.pro ? [['pro', 'yes']] : []),
    ['balance', `${row.balanceUsd} USD`],
    ['available', `${row.availableUsd} USD`],
    ['held', `${row.heldUsd} USD`],
    ['created', new Date(account.createdAtMs).toISOString()],
  ])
}

export function renderAccounts(rows: readonly AccountRow[]): string {
  const head = ['NAME', 'MODE', 'BALANCE USD', 'AVAILABLE', 'HELD', 'ID']
  const cells = rows.map(row => [row.name, row.mode, row.balanceUsd, row.availableUsd, row.heldUsd, row.id])
  return renderTable([head, ...cells], { right: [2, 3, 4] })
}
