import { expect, it } from 'vitest'
import { answer, type Behaviour, errorEvent, hang, rateLimited, status } from '../../support/mock-engine/index.ts'
import type { Client } from '../client.ts'
import { accessTo, hastyModel, question } from '../clients-gateway.ts'
import { failureOf } from './outcomes.ts'
import type { ContractOptions, FailureStatus } from './traits.ts'

interface Refusal {
  readonly what: string
  readonly status: FailureStatus
  readonly code: string
  readonly message: RegExp
  /** Instead of the key, the account and the model with which all is well. */
  readonly key?: string
  readonly account?: string
  readonly model?: string
  readonly engine?: Behaviour
}

const refusals: readonly Refusal[] = [
  { what: 'an unknown key', status: 401, code: 'invalid_api_key', message: /API key/, key: 'vk-unknown' },
  { what: 'an empty balance', status: 402, code: 'insufficient_balance', message: /balance/, account: 'broke' },
  {
    what: 'a model that the key may not use',
    status: 403,
    code: 'model_not_allowed',
    message: /may not use the model/,
    account: 'restricted',
  },
  {
    what: 'a model that does not exist',
    status: 404,
    code: 'model_not_found',
    message: /Did you mean .*test\/model/,
    model: 'test/modle',
  },
  {
    what: 'what the engine refuses',
    status: 400,
    code: 'bad_value',
    message: /mock engine says 400/,
    engine: status(400),
  },
  {
    what: 'engines without room',
    status: 429,
    code: 'engine_overloaded',
    message: /overloaded/,
    engine: rateLimited('seconds'),
  },
  {
    what: 'an engine that fails',
    status: 502,
    code: 'upstream_error',
    message: /No engine could answer/,
    engine: status(500),
  },
  {
    what: 'an engine that is too slow',
    status: 504,
    code: 'upstream_timeout',
    message: /in time/,
    model: hastyModel,
  },
]

export function describeErrors(client: Client, options: ContractOptions): void {
  const { gateway, traits } = options
  const { failures } = traits
  for (const way of ['chat', 'stream'] as const)
    for (const refusal of refusals) {
      const { what, status: code } = refusal
      const how = way === 'chat' ? 'whole' : 'in a stream'
      it(`say ${failures.classes[code]} for ${what} (${code}), ${how}`, () =>
        expectRefusal(refusal, client[way], options))
    }

  it('name the field that is wrong', async () => {
    gateway.engine().next(status(400))
    const failure = failureOf(await client.chat(accessTo(gateway), { ...question, retries: 0 }))
    expect(failure.param).toBe('temperature')
  })

  it('break the loop over a stream that breaks, after what came', async () => {
    gateway.engine().next(errorEvent({ afterChunks: 2 }, answer({ text: ['Lis', 'bon is', ' sunny.'] })))
    const { pieces, failure } = await client.readBrokenStream(accessTo(gateway), question)
    expect(pieces.map(({ text }) => text)).toEqual(['Lis', 'bon is'])
    expect(failure).toMatchObject(failures.brokenStream)
    expect(failure?.message).not.toContain('engine exploded')
    expect(gateway.engine().requests).toHaveLength(1)
  })
}

async function expectRefusal(
  refusal: Refusal,
  ask: Client['chat'] | Client['stream'],
  { gateway, traits }: ContractOptions,
): Promise<void> {
  const { status: code, account, key, model, engine } = refusal
  if (engine !== undefined) gateway.engine().next(engine)
  gateway.engine('hasty').always(hang('before-headers'))
  const before = await gateway.client.credits()
  const access = { ...accessTo(gateway, account), ...(key === undefined ? {} : { key }) }
  const failure = failureOf(await ask(access, { ...question, ...(model === undefined ? {} : { model }), retries: 0 }))
  // Errors are searched for secrets after the test.
  gateway.witness.errors.push({ status: code, text: failure.message })
  expect(failure).toMatchObject({ className: traits.failures.classes[code], status: code, code: refusal.code })
  expect(failure.message).toMatch(refusal.message)
  expect(failure.requestId).toMatch(/^req_[0-9a-f]+$/)
  expect(failure.retryAfter).toBe(code === 429 ? '7' : null)
  expect((await gateway.client.credits()).usedNano).toBe(before.usedNano)
}
