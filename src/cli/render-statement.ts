import { formatUsd } from '../core/money.ts'
import type { Account } from '../domain/identity/types.ts'
import type { Statement, StatementLine } from '../domain/ledger/types.ts'
import { renderTable } from './render-table.ts'

/** A statement as `--json` prints it: amounts are decimal strings, positive when the account gained. */
export function encodeStatement({ name }: Account, { openingNano, closingNano, lines }: Statement) {
  return {
    account: name,
    openingUsd: formatUsd(openingNano),
    closingUsd: formatUsd(closingNano),
    lines: lines.map(line => ({
      transferId: line.transferId,
      code: line.code,
      amountUsd: formatUsd(line.amountNano),
      balanceUsd: formatUsd(line.balanceNano),
      requestId: line.requestId,
      keyId: line.keyId,
      note: line.note,
      createdAt: new Date(line.atMs).toISOString(),
    })),
  }
}

export function renderStatement({ name, id }: Account, { openingNano, closingNano, lines }: Statement): string {
  const head = ['TIME (UTC)', 'REASON', 'AMOUNT USD', 'BALANCE USD', 'REFERENCE']
  const opening = ['', 'opening balance', '', formatUsd(openingNano), '']
  const closing = ['', 'closing balance', '', formatUsd(closingNano), '']
  const table = renderTable([head, opening, ...lines.map(cellsOf), closing], { right: [2, 3] })
  return `Statement of ${name} (${id})\n\n${table}`
}

function cellsOf(line: StatementLine): string[] {
  const time = new Date(line.atMs).toISOString().slice(0, 19).replace('T', ' ')
  const amount = formatUsd(line.amountNano)
  const reference = [line.requestId, line.keyId, line.note].filter(text => text !== null && text !== '')
  return [
    time,
    line.code,
    line.amountNano > 0n ? `+${amount}` : amount,
    formatUsd(line.balanceNano),
    reference.join(' '),
  ]
}
