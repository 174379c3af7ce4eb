import { formatUsd } from '../../../core/money.ts'
import { type ExactObject, exactJson } from './exact-json.ts'
import type { HistoryRow } from './history-rows.ts'

/** `GET /billing/usage-history` (venice.md §14). */
export function encodeHistory(rows: readonly HistoryRow[], nextCursor: string | null): string {
  return exactJson({ data: rows.map(encodeRow), nextCursor })
}

function encodeRow(row: HistoryRow): ExactObject {
  const { sku, unitsNano, pricePerUnitNano, amountNano, currency, notes, inference } = row
  return {
    timestamp: new Date(row.atMs).toISOString(),
    sku,
    units: unitsNano,
    pricePerUnitUsd: pricePerUnitNano,
    amount: amountNano,
    currency,
    notes,
    inferenceDetails:
      inference === null
        ? null
        : {
            requestId: inference.generationId,
            promptTokens: inference.usage.promptTokens,
            completionTokens: inference.usage.completionTokens,
            inferenceExecutionTime: inference.totalMs,
          },
  }
}

const columns = [
  'timestamp',
  'sku',
  'units',
  'pricePerUnitUsd',
  'amount',
  'currency',
  'notes',
  'requestId',
  'promptTokens',
  'completionTokens',
  'inferenceExecutionTime',
]

/** The same as a table (RFC 4180), with a line of names before it. */
export function historyCsv(rows: readonly HistoryRow[]): string {
  return [columns, ...rows.map(csvFields)].map(fields => `${fields.map(csvField).join(',')}\r\n`).join('')
}

function csvFields(row: HistoryRow): readonly string[] {
  const { inference } = row
  const details =
    inference === null
      ? ['', '', '', '']
      : [
          inference.generationId,
          `${inference.usage.promptTokens}`,
          `${inference.usage.completionTokens}`,
          `${inference.totalMs}`,
        ]
  return [
    new Date(row.atMs).toISOString(),
    row.sku,
    formatUsd(row.unitsNano),
    formatUsd(row.pricePerUnitNano),
    formatUsd(row.amountNano),
    row.currency,
    row.notes,
    ...details,
  ]
}

/** Spreadsheets take a text that begins like a formula for one, so that it is told from numbers by its quotes. */
function csvField(text: string): string {
  const isFormula = /^[=+@\t\r]|^-(?![\d.]+$)/.test(text)
  const safe = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Headers of such a table; its name carries the time, so that pages of one walk are saved side by side. */
export function csvHeaders(nowMs: number, nextCursor: string | null): Record<string, string> {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '')
  return {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename=billing-usage-history-${stamp}.csv`,
    ...(nextCursor === null ? {} : { 'x-next-cursor': nextCursor }),
  }
}
