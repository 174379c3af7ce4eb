import { describe, expect, it } from 'vitest'
import { scanCompletionJson } from '../../lib/chunk-scan.ts'
import { isJsonObject, parseJson } from '../../lib/json.ts'
import { isSoundChunk, readChunkFacts } from './chunk-facts.ts'

/** Both readers of a chunk: by parsing, and by scanning its bytes. */
function soundness(text: string, choices: number): readonly (boolean | null)[] {
  const parsed = parseJson(text)
  const scan = scanCompletionJson(Buffer.from(text))
  if (!isJsonObject(parsed) || scan === null) throw new Error('the test’s own chunk is no object')
  return [isSoundChunk(readChunkFacts(parsed), choices), isSoundChunk(scan, choices)]
}

describe('a chunk that clients can read', () => {
  it.each([
    '{"choices":[]}',
    '{"choices":[{"index":0,"delta":{}}]}',
    '{"choices":[{"delta":{"content":"x"}},{"delta":{"content":null}}]}',
    '{"choices":[{"index":1,"delta":{"content":[{"type":"text","text":"x"}]}}]}',
    '{"choices":[{"index":0,"message":{"role":"assistant","content":"x"}}]}',
    // Some gateways report filter results for a choice without saying anything of its text.
    '{"choices":[{"index":0,"content_filter_results":{}}]}',
    '{"choices":[{"index":0,"delta":null,"finish_reason":"stop"}]}',
  ])('is sound: %s', text => {
    expect(soundness(text, 2)).toEqual([true, true])
  })
})

describe('a chunk that no client can read', () => {
  it.each([
    '{"choices":null}',
    '{"choices":"none"}',
    '{"choices":{"0":{}}}',
    '{"choices":[7]}',
    '{"choices":[null]}',
    '{"choices":[{"index":0,"delta":"hello"}]}',
    '{"choices":[{"index":0,"delta":[]}]}',
    '{"choices":[{"index":0,"message":5}]}',
    '{"choices":[{"index":0,"delta":{"content":5}}]}',
    '{"choices":[{"index":0,"delta":{"content":{"text":"x"}}}]}',
    '{"choices":[{"index":-1,"delta":{}}]}',
    '{"choices":[{"index":0.5,"delta":{}}]}',
    '{"choices":[{"index":2,"delta":{}}]}',
    '{"choices":[{"index":1e15,"delta":{}}]}',
  ])('is not: %s', text => {
    expect(soundness(text, 2)).toEqual([false, false])
  })
})
