import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import type { Secret } from '../../../../lib/secret.ts'

const channel = 'rialto_documents'
const connectMs = 3_000
const statementMs = 3_000
const keepAliveMs = 10_000
/** A message of ours that has not come back by then does not get through. */
const deliveryMs = 3_000

/** The server took the order to listen, and its messages do not arrive. */
export class NotDelivered extends Error {
  override readonly name = 'NotDelivered'
}

export interface Listener {
  /** Connects and asks for notifications. @throws Error */
  listen(): Promise<void>
  /** Sends a payload another way and waits for it here. @throws NotDelivered, or what sending or the connection threw */
  expect(payload: string, notify: (payload: string) => Promise<void>): Promise<void>
  /** Rejects when the connection is lost. */
  readonly lost: Promise<never>
  close(): void
}

export interface ListenerOptions {
  readonly url: Secret
  /** Called for every message but those that `expect` waits for, of this gateway or another. */
  readonly onNotification: () => void
}

/** A connection of its own, because whoever listens must keep it: a pool would lend it to others. */
export function openListener({ url, onNotification }: ListenerOptions): Listener {
  const client = new Client({
    connectionString: url.reveal(),
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: 'rialto listener',
  })
  const expected = new Map<string, () => void>()
  const lost = new Promise<never>((_, reject) => {
    client.once('error', reject)
    client.once('end', () => reject(new Error('the connection ended')))
  })
  lost.catch(ignore)
  // The driver may tell of one break twice.
  client.on('error', ignore)
  client.on('notification', ({ payload = '' }) => {
    if (payload.startsWith('probe ')) expected.get(payload)?.()
    else onNotification()
  })

  return {
    lost,
    async listen() {
      await client.connect()
      await client.query(`listen ${channel}`)
    },
    async expect(payload, notify) {
      const arrived = new Promise<void>(resolve => expected.set(payload, resolve))
      const given = new AbortController()
      try {
        await notify(payload)
        await Promise.race([arrived, lost, lateness(given.signal)])
      } finally {
        given.abort()
        expected.delete(payload)
      }
    },
    close: () => void client.end().catch(ignore),
  }
}

async function lateness(signal: AbortSignal): Promise<void> {
  await wait(deliveryMs, undefined, { signal, ref: false }).catch(ignore)
  throw new NotDelivered('notifications do not arrive')
}

function ignore(): void {
  // Whoever waits for the connection is told by `lost`.
}

/** The statement that sends a payload to all who listen. */
export const notifyStatement = `select pg_notify('${channel}', $1)`
