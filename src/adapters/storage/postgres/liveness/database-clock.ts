/** The time of the database in milliseconds since 1970, as an SQL expression: when the statement came in. */
export const databaseNowMs = '(extract(epoch from statement_timestamp()) * 1000)::bigint'

/** True for a process that is named by the SQL expression and holds a lease. */
export function holdsLease(processId: string): string {
  return `exists (select from gateways where gateways.process_id = ${processId} and lease_until_ms > ${databaseNowMs})`
}
