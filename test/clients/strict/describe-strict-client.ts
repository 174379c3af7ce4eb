import { describe, expect, it } from 'vitest'
import { answer, errorEvent, rateLimited, stall } from '../../support/mock-engine/index.ts'
import type { Client } from '../client.ts'
import { accessTo, question, testModel } from '../clients-gateway.ts'
import { describeLeaving } from '../contract/describe-leaving.ts'
import { describeTools } from '../contract/describe-tools.ts'
import { failureOf, replyOf } from '../contract/outcomes.ts'
import type { ContractOptions } from '../contract/traits.ts'
import { strictSurface } from './strict-gateway.ts'

export interface StrictOptions extends ContractOptions {
  /** False where the client shows the words of a status instead of the gateway's. */
  readonly showsMessages: boolean
}

/** A real, unmodified client against `/api/v1` (venice.md §15): what all of them must be able to do. */
export function describeStrictClient(name: string, client: Client, options: StrictOptions): void {
  const onStrict = { ...options, surface: strictSurface }
  describe(name, () => {
    describe('answers', () => describeAnswers(client, onStrict))
    describe('tools and schemas', () => describeTools(client, onStrict))
    describe('leaving', () => describeLeaving(client, onStrict))
    describe('errors', () => describeErrors(client, onStrict))
  })
}

function describeAnswers(client: Client, { gateway }: StrictOptions): void {
  const expected = {
    text: 'Lisbon is sunny.',
    model: testModel,
    finishReason: 'stop',
    usage: { prompt: 16, completion: 3, total: 19 },
  }

  it('shows a whole answer with its usage', async () => {
    gateway.engine().next(answer({ text: ['Lis', 'bon is', ' sunny.'] }))
    expect(replyOf(await client.chat(accessTo(gateway, 'main', strictSurface), question))).toMatchObject(expected)
  })

  it('shows the pieces of a stream when they come, then its usage, for which it need not ask', async () => {
    gateway.engine().next(stall({ afterChunks: 2, ms: 500 }, answer({ text: ['Lis', 'bon is', ' sunny.'] })))
    const reply = replyOf(await client.stream(accessTo(gateway, 'main', strictSurface), question))
    expect(reply).toMatchObject(expected)
    expect(reply.pieces.map(({ text }) => text)).toEqual(['Lis', 'bon is', ' sunny.'])
    const [, second = 0, third = 0] = reply.pieces.map(({ at }) => at)
    expect(third - second).toBeGreaterThan(300)
  })
}

interface Refusal {
  readonly what: string
  readonly status: 400 | 401 | 402 | 404 | 429
  readonly message: RegExp
  readonly retryAfter?: string
  readonly ask: (client: Client, options: StrictOptions) => ReturnType<Client['chat']>
}

const once = { ...question, retries: 0 }
const accessOf = ({ gateway }: StrictOptions, account = 'main') => accessTo(gateway, account, strictSurface)

const refusals: readonly Refusal[] = [
  {
    what: 'a parameter that the surface does not know',
    status: 400,
    message: /Invalid request parameters/,
    ask: (client, options) => client.chatWithUnknownParameter(accessOf(options), once),
  },
  {
    what: 'an unknown key',
    status: 401,
    message: /Authentication failed/,
    ask: (client, options) => client.chat({ ...accessOf(options), key: 'vk-unknown' }, once),
  },
  {
    what: 'an empty balance',
    status: 402,
    message: /Insufficient USD or Diem balance/,
    ask: (client, options) => client.chat(accessOf(options, 'broke'), once),
  },
  {
    what: 'a model that does not exist',
    status: 404,
    message: /Specified model not found: test\/modle\. Did you mean: test\/model\?/,
    ask: (client, options) => client.stream(accessOf(options), { ...once, model: 'test/modle' }),
  },
  {
    what: 'engines without room',
    status: 429,
    message: /currently overloaded/,
    retryAfter: '7',
    ask(client, options) {
      options.gateway.engine().next(rateLimited('seconds'))
      return client.stream(accessOf(options), once)
    },
  },
]

function describeErrors(client: Client, options: StrictOptions): void {
  const { gateway, traits, showsMessages } = options
  for (const { what, status, message, retryAfter = null, ask } of refusals)
    it(`say ${traits.failures.classes[status]} for ${what} (${status})`, async () => {
      const failure = failureOf(await ask(client, options))
      expect(failure).toMatchObject({ className: traits.failures.classes[status], status, retryAfter })
      if (showsMessages) expect(failure.message).toMatch(message)
      expect(failure.requestId).toMatch(/^req_[0-9a-f]+$/)
    })

  it('break the loop over a stream that breaks, after what came', async () => {
    gateway.engine().next(errorEvent({ afterChunks: 2 }, answer({ text: ['Lis', 'bon is', ' sunny.'] })))
    const { pieces, failure } = await client.readBrokenStream(accessOf(options), question)
    expect(pieces.map(({ text }) => text)).toEqual(['Lis', 'bon is'])
    expect(failure).toMatchObject(traits.failures.brokenStream)
    expect(failure?.message).not.toContain('engine exploded')
  })
}
