import { PassThrough } from 'node:stream'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { GatewayClient } from '../../core/gateway-client.ts'
import { GatewayUnreachable } from '../../core/gateway-client.ts'
import type { JsonObject } from '../../lib/json.ts'
import { createConversation } from './conversation.ts'
import { terminalChat } from './terminal-chat.ts'

const keys = {
  enter: '\r',
  interrupt: '\u0003',
  end: '\u0004',
  tab: '\t',
  paste: ['\u001b[200~', '\u001b[201~'],
} as const

let screen = ''
beforeEach(() => {
  screen = ''
  vi.spyOn(process.stdout, 'write').mockImplementation(text => {
    screen += String(text)
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

function textEvent(content: string): JsonObject {
  return { id: 'chatcmpl-1', choices: [{ delta: { content } }] }
}

const usageEvent: JsonObject = { choices: [], usage: { prompt_tokens: 2, completion_tokens: 3, cost: 0.000005 } }

/** A person at a terminal, and a gateway that answers each message with the events of `answer`. */
function sitDown(answer: (body: JsonObject, signal: AbortSignal) => AsyncIterable<JsonObject>) {
  const bodies: JsonObject[] = []
  const client: GatewayClient = {
    get: () =>
      Promise.resolve({ status: 200, body: { data: { total_cost: 0.25, tokens_prompt: 2, tokens_completion: 1 } } }),
    stream(_path, body, signal) {
      bodies.push(body)
      return answer(body, signal)
    },
    close: () => Promise.resolve(),
  }
  const input = new PassThrough()
  const output = new PassThrough()
  output.on('data', (chunk: Buffer) => {
    screen += chunk.toString()
  })
  const conversation = createConversation({ model: 'a/b', system: null }, { maxTokens: null, temperature: null })
  const clock = { now: () => 0, monotonic: () => 0 }
  const done = terminalChat({ client, conversation, models: ['a/b', 'c/d'], clock, terminal: { input, output } })
  const type = async (...pieces: string[]) => {
    for (const piece of pieces) input.write(piece)
    for (let turns = 0; turns < 20; turns++) await turn()
  }
  return { bodies, conversation, done, type }
}

async function* fourAnswer(): AsyncGenerator<JsonObject> {
  yield textEvent('Fo')
  yield textEvent('ur.')
  yield usageEvent
}

describe('a chat on a terminal', () => {
  it('streams the answer, says what it cost, and remembers both', async () => {
    const { bodies, conversation, done, type } = sitDown(fourAnswer)
    await type('2+2?', keys.enter)
    expect(screen).toContain('Four.\n')
    expect(screen).toContain('2 in · 3 out · 0.000005 USD · 0.0 s')
    await type('And 3+1?', keys.enter)
    expect(screen).toContain('in all 10 tokens, 0.00001 USD')
    expect(bodies[1]?.['messages']).toEqual([
      { role: 'user', content: '2+2?' },
      { role: 'assistant', content: 'Four.' },
      { role: 'user', content: 'And 3+1?' },
    ])
    await type(keys.end)
    await done
    expect(conversation.totals.answers).toBe(2)
  })

  it('stops the answer at Ctrl-C, and goes on', async () => {
    const { conversation, done, type } = sitDown(async function* (_body, signal) {
      yield textEvent('One, two')
      await wait(60_000, undefined, { signal })
    })
    await type('Count.', keys.enter)
    expect(screen).toContain('One, two')
    await type(keys.interrupt)
    expect(screen).toContain('stopped · 2 in · 1 out · 0.25 USD')
    expect(conversation.messages.at(-1)).toEqual({ role: 'assistant', content: 'One, two' })
    await type(keys.interrupt)
    expect(screen).toContain('Ctrl-C again')
    await type(keys.interrupt)
    await done
  })

  it('sends what was typed while an answer came, after it', async () => {
    let finish: () => void = () => undefined
    const { bodies, done, type } = sitDown(async function* () {
      if (bodies.length === 1) await new Promise<void>(resolve => (finish = resolve))
      yield* fourAnswer()
    })
    await type('first', keys.enter)
    await type('second', keys.enter)
    expect(bodies).toHaveLength(1)
    expect(screen).not.toContain('second')
    finish()
    await type()
    expect(bodies).toHaveLength(2)
    expect(screen).toContain('› second\n')
    await type('/exit', keys.enter)
    await done
  })

  it('takes a paste of several lines for one message', async () => {
    const { bodies, done, type } = sitDown(fourAnswer)
    await type(keys.paste[0], 'one\rtwo\rthr', keys.paste[1])
    expect(bodies).toHaveLength(0)
    await type('ee', keys.enter)
    expect(bodies[0]?.['messages']).toEqual([{ role: 'user', content: 'one\ntwo\nthree' }])
    await type(keys.end)
    await done
  })

  it('says why an answer failed, and forgets the message that got none', async () => {
    const { conversation, done, type } = sitDown(async function* (body) {
      if (JSON.stringify(body).includes('gone')) throw new GatewayUnreachable('No gateway answers.')
      yield { error: { message: 'No such luck.' } }
    })
    await type('hi', keys.enter, 'gone', keys.enter)
    expect(screen).toContain('No such luck.')
    expect(screen).toContain('No gateway answers.')
    expect(conversation.messages).toEqual([])
    await type(keys.end)
    await done
  })

  it('does what slash commands say', async () => {
    const { bodies, conversation, done, type } = sitDown(fourAnswer)
    await type('/help', keys.enter, '/model c', keys.tab, keys.enter, '/system Be brief.', keys.enter)
    expect(screen).toContain('/save')
    expect(screen).toContain('Going on with c/d.')
    await type('/model nix', keys.enter, '/modl', keys.enter, '/save', keys.enter, ' /etc?', keys.enter)
    expect(screen).toContain('There is no model nix.')
    expect(screen).toContain('Did you mean /model?')
    expect(screen).toContain('Name a file')
    expect(bodies).toHaveLength(1)
    expect(bodies[0]).toMatchObject({ model: 'c/d', messages: [{ content: 'Be brief.' }, { content: '/etc?' }] })
    await type('/clear', keys.enter, '/system none', keys.enter)
    await type('half a line', keys.interrupt)
    await type(keys.end)
    await done
    expect(conversation.messages).toEqual([])
    expect(conversation.system).toBeNull()
    expect(bodies).toHaveLength(1)
  })
})
