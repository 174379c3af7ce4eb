import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineCall } from '../../domain/engines/types.ts'
import { parseJson } from '../../lib/json.ts'
import { scanObject } from '../../lib/json-scan.ts'
import { encodeEngineBody, type MaxTokensField } from './engine-body.ts'

interface Call {
  readonly text: string
  readonly stream?: boolean
  readonly field?: MaxTokensField
  readonly denied?: { engine?: string[]; model?: string[]; gateway?: string[] }
  readonly cacheKey?: string | null
}

function encode({ text, stream = false, field = 'max_tokens', denied = {}, cacheKey = null }: Call): string {
  const bytes = Buffer.from(text)
  const call: EngineCall = {
    requestId: 'req_1',
    engineModel: 'Qwen/Qwen3-27B',
    stream,
    choices: 1,
    outputLimit: 256,
    body: { bytes, members: scanObject(bytes).members, removedKeys: new Set(denied.gateway), promptCacheKey: null },
    deniedKeys: new Set(denied.model),
    promptCacheKey: cacheKey,
    wishes: null,
  }
  const rules = { preset: 'generic' as const, maxTokensField: field, deniedKeys: new Set(denied.engine), xSearch: {} }
  return Buffer.concat(encodeEngineBody(call, rules)).toString()
}

describe('encodeEngineBody', () => {
  it("puts the engine's model and the effective limit where the caller's stood, and leaves every other byte", () => {
    const text =
      ' { "temperature" : 1e-2,\n"model": "venym/qwen-27b" , "max_tokens":99999 ,"big":12345678901234567890, "x":{"a":[1,2]} }'
    const expected = text.replace('"venym/qwen-27b"', '"Qwen/Qwen3-27B"').replace('99999', '256')
    expect(encode({ text })).toBe(expected)
  })

  it('adds the limit at the end when the caller gave none', () => {
    expect(encode({ text: '{"model":"m","messages":[]}' })).toBe(
      '{"model":"Qwen/Qwen3-27B","messages":[],"max_tokens":256}',
    )
  })

  it.each<[string, MaxTokensField, string]>([
    ['{"model":"m","max_tokens":9}', 'max_tokens', '{"model":"Qwen/Qwen3-27B","max_tokens":256}'],
    ['{"model":"m","max_tokens":9}', 'max_completion_tokens', '{"model":"Qwen/Qwen3-27B","max_completion_tokens":256}'],
    ['{"max_completion_tokens":9,"model":"m"}', 'max_tokens', '{"model":"Qwen/Qwen3-27B","max_tokens":256}'],
    [
      '{"max_completion_tokens":9,"max_tokens":8,"model":"m"}',
      'max_tokens',
      '{"max_tokens":256,"model":"Qwen/Qwen3-27B"}',
    ],
    [
      '{"max_tokens":null,"max_completion_tokens":null,"model":"m"}',
      'max_tokens',
      '{"max_tokens":256,"model":"Qwen/Qwen3-27B"}',
    ],
  ])('gives %s one limit under %s', (text, field, expected) => {
    expect(encode({ text, field })).toBe(expected)
  })

  it('asks every stream for usage, exactly, and never asks otherwise', () => {
    const options = '"stream_options":{"include_usage":false,"x":1}'
    expect(encode({ text: `{"model":"m","max_tokens":1,${options}}`, stream: true })).toBe(
      '{"model":"Qwen/Qwen3-27B","max_tokens":256,"stream_options":{"include_usage":true}}',
    )
    expect(encode({ text: '{"model":"m","max_tokens":1}', stream: true })).toBe(
      '{"model":"Qwen/Qwen3-27B","max_tokens":256,"stream_options":{"include_usage":true}}',
    )
    expect(encode({ text: `{"model":"m",${options},"max_tokens":1}` })).toBe(
      '{"model":"Qwen/Qwen3-27B","max_tokens":256}',
    )
  })

  it('removes what the engine, the model and the gateway keep from it, and nothing with a similar name', () => {
    const text = '{"ignore_eos":true,"model":"m","extras":{"a":1},"ignore_eos2":1,"max_tokens":1,"lora":[1]}'
    const denied = { engine: ['ignore_eos'], model: ['lora'], gateway: ['extras'] }
    expect(encode({ text, denied })).toBe('{"model":"Qwen/Qwen3-27B","ignore_eos2":1,"max_tokens":256}')
  })

  it('removes a denied key however it is spelled, and only at the top level', () => {
    const text = '{"model":"m","\\u0069gnore_eos":true,"max_tokens":1,"metadata":{"ignore_eos":true}}'
    expect(encode({ text, denied: { engine: ['ignore_eos'] } })).toBe(
      '{"model":"Qwen/Qwen3-27B","max_tokens":256,"metadata":{"ignore_eos":true}}',
    )
  })

  it('cannot be told to leave out what it must send', () => {
    const denied = { engine: ['model', 'max_tokens', 'stream_options'] }
    expect(encode({ text: '{"model":"m","max_tokens":1}', stream: true, denied })).toBe(
      '{"model":"Qwen/Qwen3-27B","max_tokens":256,"stream_options":{"include_usage":true}}',
    )
  })

  it("replaces the caller's cache name, and lets none through that it did not replace", () => {
    const text = '{"model":"m","prompt_cache_key":"alice","max_tokens":1}'
    expect(encode({ text, cacheKey: 'f00d' })).toBe(
      '{"model":"Qwen/Qwen3-27B","prompt_cache_key":"f00d","max_tokens":256}',
    )
    expect(encode({ text: text.replace('"alice"', '17') })).toBe('{"model":"Qwen/Qwen3-27B","max_tokens":256}')
  })

  it('keeps the value and the order of every member that it does not own', () => {
    const owned = ['model', 'max_tokens', 'max_completion_tokens', 'stream_options', 'prompt_cache_key']
    const key = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom(...owned))
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(key, fc.jsonValue()), { selector: ([name]) => name }),
        fc.boolean(),
        (pairs, stream) => {
          const text = `{${pairs.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(' ,')}}`
          const result = encode({ text, stream })
          const members = scanObject(Buffer.from(result)).members
          const foreign = members.filter(member => !owned.includes(member.key))
          const kept = foreign.map(member => Buffer.from(result).toString('utf8', member.valueStart, member.valueEnd))
          const given = pairs.filter(([name]) => !owned.includes(name))
          expect(foreign.map(member => member.key)).toEqual(given.map(([name]) => name))
          expect(kept).toEqual(given.map(([, value]) => JSON.stringify(value)))
          expect(parseJson(result)).toMatchObject({ model: 'Qwen/Qwen3-27B', max_tokens: 256 })
        },
      ),
      { numRuns: 300 },
    )
  })
})
