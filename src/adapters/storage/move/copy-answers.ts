import { sql } from 'kysely'
import type { Sql } from '../sql/tables.ts'
import { insertRows } from './insert-rows.ts'
import type { Move, Write } from './move.ts'
import type { MovedTable } from './plan-table.ts'
import { createPageReader, createRowReader, rowIdOf, type SqliteRow } from './source-tables.ts'

/** Recorded answers that are read and written at once: each may be a megabyte. */
const answerBytesPerPage = 8_388_608
const answersPerPage = 500

export interface AnswersPass {
  readonly write: Write
  /** Keys whose request runs change still; after the gateway's end they are those of requests that broke off. */
  readonly withRunning: boolean
}

/**
 * Copies idempotency keys with their recorded answers, which stay sealed under the installation's secret. One whose answer is
 * there changes no more until it expires, so the target is asked which it has, and lacks only what came since.
 */
export async function copyAnswers(move: Move, { write, withRunning }: AnswersPass): Promise<void> {
  const { source, tables, clock, report } = move
  const table = tables.get('idempotency_keys')
  const read = createPageReader(source.database, table.name, outlineColumns)
  const readWhole = createRowReader(source.database, table.name, table.columns)
  for (let afterRowId = 0n, seen = 0; ; ) {
    const { rows, lastRowId } = read({ afterRowId, limit: answersPerPage })
    const wanted = rows.map(outlineOf).filter(outline => isWanted(outline, { nowMs: clock.now(), withRunning }))
    for (const some of inPieces(await write(target => withoutKnown(target, wanted)))) {
      const whole = some.flatMap(
        ({ rowId }) => readWhole({ afterRowId: rowId - 1n, throughRowId: rowId, limit: 1 }).rows,
      )
      await write(target => replaceRows(target, table, whole))
    }
    seen += rows.length
    report({ step: 'copying', table: 'idempotency keys', rows: seen, of: seen })
    if (lastRowId === null) return
    afterRowId = lastRowId
  }
}

const outlineColumns = [
  'account_id',
  'route',
  'key',
  'request_id',
  'state',
  'expires_at_ms',
  'coalesce(length(answer_body), 0)',
]

interface Outline {
  readonly rowId: bigint
  readonly scope: readonly [accountId: string, route: string, key: string]
  readonly requestId: string
  readonly isRunning: boolean
  readonly expiresAtMs: bigint | null
  readonly bytes: bigint
}

function outlineOf(row: SqliteRow): Outline {
  const [, accountId, route, key, requestId, state, expiresAtMs, bytes] = row
  return {
    rowId: rowIdOf(row),
    scope: [String(accountId), String(route), String(key)],
    requestId: String(requestId),
    isRunning: state === 'running',
    expiresAtMs: typeof expiresAtMs === 'bigint' ? expiresAtMs : null,
    bytes: typeof bytes === 'bigint' ? bytes : 0n,
  }
}

/** Takes out of the target what went on in the source since it was copied: running requests, and what expired. */
export async function forgetGoneAnswers(nowMs: number, target: Sql): Promise<void> {
  await target
    .deleteFrom('idempotency_keys')
    .where(where => where.or([where('state', '=', 'running'), where('expires_at_ms', '<=', nowMs)]))
    .execute()
}

/** Expired ones are as good as gone. */
function isWanted(
  { isRunning, expiresAtMs }: Outline,
  { nowMs, withRunning }: { readonly nowMs: number; readonly withRunning: boolean },
): boolean {
  return isRunning ? withRunning : expiresAtMs === null || expiresAtMs > BigInt(nowMs)
}

async function withoutKnown(target: Sql, outlines: readonly Outline[]): Promise<readonly Outline[]> {
  if (outlines.length === 0) return []
  const { rows } = await sql<{ requestId: string }>`
    select request_id as "requestId" from idempotency_keys
    join unnest(${scopeArrays(outlines)}) as wanted (account_id, route, key) using (account_id, route, key)
    where state = 'done'`.execute(target)
  const known = new Set(rows.map(row => row.requestId))
  return outlines.filter(({ requestId }) => !known.has(requestId))
}

/** A key that expired may have been taken again since it was copied, by another request. */
async function replaceRows(target: Sql, table: MovedTable, rows: readonly SqliteRow[]): Promise<void> {
  const scopeAt = ['account_id', 'route', 'key'].map(column => table.columns.indexOf(column) + 1)
  const scopes = rows.map(row => ({ scope: scopeAt.map(index => String(row[index])) }))
  await sql`
    delete from idempotency_keys using unnest(${scopeArrays(scopes)}) as gone (account_id, route, key)
    where idempotency_keys.account_id = gone.account_id and idempotency_keys.route = gone.route
      and idempotency_keys.key = gone.key`.execute(target)
  await insertRows(target, table, rows)
}

function scopeArrays(outlines: readonly { readonly scope: readonly string[] }[]) {
  return sql.join([0, 1, 2].map(index => sql`${sql.val(outlines.map(({ scope }) => scope[index]))}::text[]`))
}

function* inPieces(outlines: readonly Outline[]): Generator<readonly Outline[]> {
  let piece: Outline[] = []
  let bytes = 0n
  for (const outline of outlines) {
    if (piece.length > 0 && bytes + outline.bytes > answerBytesPerPage) {
      yield piece
      piece = []
      bytes = 0n
    }
    piece.push(outline)
    bytes += outline.bytes
  }
  if (piece.length > 0) yield piece
}
