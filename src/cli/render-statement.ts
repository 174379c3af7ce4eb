import type { CreditCurrency } from '../core/currency.ts'
import { type Amount, formatUsd } from '../core/money.ts'
import type { Account } from '../domain/identity/types.ts'
import type { Statement, StatementLine } from '../domain/ledger/types.ts'
import { renderTable } from './render-table.ts'

/** A statement as `--json` prints it: amounts are decimal strings, positive when the account gained. */
export function encodeStatement(
  { name }: Account,
  { openingNano, closingNano, lines }: Statement,
  currency: CreditCurrency,
) {
  return {
    account: name,
    ...(currency === 'usd' ? {} : { currency }),
    openingUsd: formatUsd(openingNano),
    closingUsd: formatUsd(closingNano),
    lines: lines.map(line => ({
      transferId: line.transferId,
      code: line.code,
      amountUsd: formatUsd(line.amountNano),
      ...(line.diemNano === 0n ? {} : { amountDiem: formatUsd(line.diemNano) }),
      balanceUsd: formatUsd(line.balanceNano),
      requestId: line.requestId,
      keyId: line.keyId,
      note: line.note,
      createdAt: new Date(line.atMs).toISOString(),
    })),
  }
}

export function renderStatement(
  { name, id }: Account,
  { openingNano, closingNano, lines }: Statement,
  currency: CreditCurrency,
): string {
  const withDiem = lines.some(({ diemNano }) => diemNano !== 0n)
  const diem = (text: string) => (withDiem ? [text] : [])
  const head = ['TIME (UTC)', 'REASON', 'AMOUNT USD', ...diem('AMOUNT DIEM'), 'BALANCE USD', 'REFERENCE']
  const opening = ['', 'opening balance', '', ...diem(''), formatUsd(openingNano), '']
  const closing = ['', 'closing balance', '', ...diem(''), formatUsd(closingNano), '']
  const rows = lines.map(line => cellsOf(line, diem(signed(line.diemNano))))
  const table = renderTable([head, opening, ...rows, closing], { right: withDiem ? [2, 3, 4] : [2, 3] })
  const of = currency === 'usd' ? '' : `, ${currency} credit`
  return `Statement of ${name} (${id})${of}\n\n${table}`
}

function cellsOf(line: StatementLine, diem: readonly string[]): string[] {
  const time = new Date(line.atMs).toISOString().slice(0, 19).replace('T', ' ')
  const reference = [line.requestId, line.keyId, line.note].filter(text => text !== null && text !== '')
  return [time, line.code, signed(line.amountNano), ...diem, formatUsd(line.balanceNano), reference.join(' ')]
}

/** Nothing for 0: the other column says what was paid. */
function signed(amountNano: Amount): string {
  if (amountNano === 0n) return ''
  return amountNano > 0n ? `+${formatUsd(amountNano)}` : formatUsd(amountNano)
}
