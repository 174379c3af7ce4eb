import { openRaw, type RawConnection, rawRequest } from '../raw-http.ts'
import type { RawResponse } from '../raw-response.ts'
import { waitFor } from '../wait-for.ts'
import type { MockEngine } from './mock-engine.ts'

export interface Asked {
  /** The first response that is not informational, complete or cut off. Undefined when no head came. */
  readonly response: RawResponse | undefined
  readonly responses: readonly RawResponse[]
  readonly received: Buffer
  /** Undefined when the engine kept the connection open. */
  readonly closedBy: RawConnection['closedBy']
  readonly connection: RawConnection
  /** `data` of every event of the body, read leniently; `[DONE]` included. */
  readonly data: readonly string[]
}

/** A plain client for the tests of the engine itself: one chat request over a raw socket. */
export async function askEngine(
  engine: MockEngine,
  body: Record<string, unknown> = {},
  options: { withinMs?: number; connection?: RawConnection } = {},
): Promise<Asked> {
  const connection = options.connection ?? (await openRaw(engine.port))
  const before = connection.responses.length
  const messages = [{ role: 'user', content: 'hello' }]
  await connection.send(rawRequest('/v1/chat/completions', { body: { model: 'm', messages, ...body } }))
  const final = () => connection.responses.slice(before).find(response => response.status >= 200)
  await waitFor('an answer or a close', () => final()?.complete === true || connection.closedBy !== undefined, {
    withinMs: options.withinMs ?? 5_000,
  })
  const response = final()
  const { received, closedBy } = connection
  const responses = connection.responses.slice(before)
  return { response, responses, received, closedBy, connection, data: readData(response?.text ?? '') }
}

/** The joined text of all content deltas. */
export function streamedText(data: readonly string[]): string {
  return data
    .filter(json => json !== '[DONE]')
    .map(json => JSON.parse(json).choices?.[0]?.delta?.content ?? '')
    .join('')
}

function readData(text: string): string[] {
  const events = text.replace(/^\uFEFF/, '').split(/(?:\r\n|\r(?!\n)|\n){2}/)
  return events.flatMap(event => {
    const lines = event.split(/\r\n|\r|\n/).filter(line => line.startsWith('data:'))
    return lines.length === 0 ? [] : [lines.map(line => line.slice('data:'.length).replace(/^ /, '')).join('\n')]
  })
}
