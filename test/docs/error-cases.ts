import { issueKey } from '../support/gateway/accounts.ts'
import type { Gateway, HttpAnswer } from '../support/gateway/index.ts'

type Ask = (gateway: Gateway) => Promise<HttpAnswer>

const messages = [{ role: 'user', content: 'Hello' }]
const modest = { messages, max_tokens: 100 }

/** Requests that are answered with the errors that the pages show. */
export const errorCases: Readonly<Record<string, Ask>> = {
  invalid_value: ({ client }) => client.chat({ messages, max_tokens: 0 }),
  invalid_messages: ({ client }) => client.chat({ messages: [] }),
  unknown_key: ({ client }) => client.chat({ messages, venym: { web_serch: true } }),
  duplicate_key: ({ client }) =>
    client.chat(
      '{"model":"rialto/sandbox","messages":[{"role":"user","content":"Hello"}],"temperature":0,"temperature":1}',
    ),
  not_configured: ({ client }) => client.chat({ messages, model: 'rialto/sandbox:online' }),
  invalid_api_key: ({ client }) => client.chat({ messages }, { key: 'vk-unknown' }),
  insufficient_balance: gateway => gateway.client.chat(modest, { key: gateway.account('empty').key }),
  key_limit_exceeded: askWithKey(['--limit-usd', '0']),
  model_not_allowed: askWithKey(['--models', 'demo/slow-lane']),
  model_not_found: ({ client }) => client.chat({ messages, model: 'rialto/sandbx' }),
  rate_limit_exceeded: async ({ client }) => {
    await client.chat({ messages, model: 'demo/slow-lane' })
    return client.chat({ messages, model: 'demo/slow-lane' })
  },
  engine_overloaded: ({ client }) => client.chat({ messages: [{ role: 'user', content: 'sandbox:status=429' }] }),
  upstream_error: ({ client }) => client.chat({ messages: [{ role: 'user', content: 'sandbox:status=500' }] }),
}

function askWithKey(parameters: readonly string[]): Ask {
  return async ({ installation, client }) => {
    const { key } = await issueKey(installation, 'main', parameters)
    return client.chat(modest, { key })
  }
}
