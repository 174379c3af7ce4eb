import { describe, expect, it } from 'vitest'
import type { ChunkFacts } from './chunk-facts.ts'
import { Meter } from './meter.ts'

const bounds = { promptTokensBound: 100, promptCharacters: 40, choices: 1, outputLimit: 50 }

function textChunk(characters: number): ChunkFacts {
  const unfinished = { finishedIndexes: [], finishReason: null, malformed: false }
  return { hasText: true, textCharacters: characters, choiceIndexes: [0], ...unfinished }
}

const report = (completion: number) => ({ prompt_tokens: 9, completion_tokens: completion })

describe('the final reading', () => {
  it('is the report that comes after the text', () => {
    const meter = new Meter(bounds)
    for (let count = 0; count < 3; count += 1) meter.addChunk(textChunk(5))
    meter.reportUsage(report(3))
    expect(meter.final()).toMatchObject({ source: 'engine', usage: { promptTokens: 9, completionTokens: 3 } })
  })

  it('is the report that stands on the last chunk', () => {
    const meter = new Meter(bounds)
    for (let count = 1; count <= 3; count += 1) {
      meter.reportUsage(report(count))
      meter.addChunk(textChunk(5))
    }
    expect(meter.final()).toMatchObject({ source: 'engine', usage: { completionTokens: 3 } })
  })

  it('is an estimate where the only report counts less than what was delivered', () => {
    const meter = new Meter(bounds)
    meter.addChunk(textChunk(6))
    meter.reportUsage(report(2))
    meter.addChunk(textChunk(6))
    meter.addChunk(textChunk(6))
    expect(meter.final()).toMatchObject({ source: 'estimated', usage: { promptTokens: 10, completionTokens: 5 } })
  })

  it('of another node begins anew', () => {
    const meter = new Meter(bounds)
    meter.reportUsage(report(2))
    meter.addChunk(textChunk(6))
    meter.addChunk(textChunk(6))
    meter.reset()
    meter.addChunk(textChunk(4))
    meter.reportUsage(report(1))
    expect(meter.final()).toMatchObject({ source: 'engine', usage: { completionTokens: 1 } })
  })
})
