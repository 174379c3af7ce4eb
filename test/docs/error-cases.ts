import type { HttpAnswer } from '../support/gateway/index.ts'
import type { KeyOptions } from '../support/gateway/installation-store.ts'
import type { DocsGateway } from './docs-gateway.ts'

type Ask = (docs: DocsGateway) => Promise<HttpAnswer>

const messages = [{ role: 'user', content: 'Hello' }]
const modest = { messages, max_tokens: 100 }

/** Requests that are answered with the errors that the pages show. */
export const errorCases: Readonly<Record<string, Ask>> = {
  invalid_value: ask({ messages, max_tokens: 0 }),
  invalid_messages: ask({ messages: [] }),
  unknown_key: ask({ messages, venym: { web_serch: true } }),
  duplicate_key: ask('{"model":"rialto/sandbox","messages":[],"temperature":0,"temperature":1}'),
  not_configured: ask({ messages, model: 'rialto/sandbox:online' }),
  invalid_api_key: ({ gateway }) => gateway.client.chat(modest, { key: 'vk-unknown' }),
  insufficient_balance: ({ gateway }) => gateway.client.chat(modest, { key: gateway.account('empty').key }),
  key_limit_exceeded: askWithKey({ limitNano: 0n }),
  model_not_allowed: askWithKey({ allowedModels: ['demo/slow-lane'] }),
  model_not_found: ask({ messages, model: 'rialto/sandbx' }),
  rate_limit_exceeded: async docs => {
    await ask({ messages, model: 'demo/slow-lane' })(docs)
    return ask({ messages, model: 'demo/slow-lane' })(docs)
  },
  engine_overloaded: ask({ messages: [{ role: 'user', content: 'sandbox:status=429' }] }),
  upstream_error: ask({ messages: [{ role: 'user', content: 'sandbox:status=500' }] }),
}

function ask(body: Readonly<Record<string, unknown>> | string): Ask {
  return ({ gateway }) => gateway.client.chat(body, { key: gateway.account('reader').key })
}

function askWithKey(options: KeyOptions): Ask {
  return async ({ gateway, store }) => {
    const { key } = await store.issueKey('reader', options)
    return gateway.client.chat(modest, { key })
  }
}
