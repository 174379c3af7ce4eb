import { atEnd } from '../at-end.ts'
import type { ServerPlace } from './data-folder.ts'
import { PostgresServer, type PostgresSettings } from './postgres-server.ts'
import { createStandby, type StandbyOptions } from './standby.ts'

/** A server of one's own, to be harmed. It ends with the test or, from a `beforeAll`, with the file. */
export async function startPostgres(settings?: PostgresSettings, place?: ServerPlace): Promise<PostgresServer> {
  return endWithTest(await PostgresServer.create(settings, place))
}

/** A streaming replica of such a server, which ends likewise. */
export async function startStandby(primary: PostgresServer, options?: StandbyOptions): Promise<PostgresServer> {
  return endWithTest(await createStandby(primary, options))
}

function endWithTest(server: PostgresServer): PostgresServer {
  atEnd(() => server.remove())
  return server
}
