import { z } from 'zod'
import type { FoundModel } from '../../../core/found-engine.ts'

/** A number of tokens that an engine states; anything else counts as not stated. */
export const statedTokens = z.int().min(1).max(100_000_000).nullish().catch(null)

/** Completes what an engine said of a model with what it did not say. */
export function createFoundModel(name: string, stated: Partial<Omit<FoundModel, 'id' | 'name'>>): FoundModel {
  return {
    id: publicName(name),
    name,
    contextTokens: null,
    maxOutputTokens: null,
    functionCalling: false,
    responseSchema: false,
    reasoning: false,
    vision: false,
    logProbs: false,
    ...stated,
  }
}

/** Engines that loaded a file name the model after its path, which is nobody's business. */
function publicName(name: string): string {
  const isPath = /^(\/|\.|~|[A-Za-z]:\\)/.test(name) || name.endsWith('.gguf')
  if (!isPath) return name
  const file =
    name
      .split(/[/\\]/)
      .filter(part => part !== '')
      .at(-1) ?? name
  return file.replace(/\.gguf$/, '')
}
