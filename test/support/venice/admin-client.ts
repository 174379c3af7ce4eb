import type { Gateway } from '../gateway/gateway.ts'
import type { HttpAnswer } from '../gateway/http-exchange.ts'

export interface AdminAnswer extends HttpAnswer {
  // The shape is what the tests are about.
  // biome-ignore lint/suspicious/noExplicitAny: answers of any route
  readonly body: any
}

/** Calls of `/api/v1` with the key of an account; the body is given as a value, or as text that is sent as it is. */
export function adminClient(gateway: Pick<Gateway, 'client' | 'account'>, account: string) {
  return async (
    method: string,
    path: string,
    options: { body?: unknown; key?: string | null; headers?: Record<string, string> } = {},
  ): Promise<AdminAnswer> => {
    const { body, key = gateway.account(account).key, headers } = options
    const answer = await gateway.client.send(`/api/v1${path}`, {
      method,
      key,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    return Object.assign(answer, { body: isJson ? JSON.parse(answer.text) : answer.text })
  }
}
