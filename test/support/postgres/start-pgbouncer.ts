import { atEnd } from '../at-end.ts'
import { PgBouncer, type PgBouncerSettings } from './pgbouncer.ts'

export interface PgBouncerOptions {
  /** Whatever speaks PostgreSQL on 127.0.0.1: a server, a test's database, a proxy. */
  readonly server: { readonly port: number }
  readonly settings?: PgBouncerSettings
}

/** PgBouncer in transaction mode before a server. It ends with the test or, from a `beforeAll`, with the file. */
export async function startPgBouncer({ server, settings }: PgBouncerOptions): Promise<PgBouncer> {
  const bouncer = await PgBouncer.start(server, settings)
  atEnd(() => bouncer.kill())
  return bouncer
}
