import { resolve } from 'node:path'
import { startGgufProcess } from '../adapters/engines/gguf-process.ts'
import type { FoundEngine } from '../core/found-engine.ts'
import { Secret } from '../lib/secret.ts'
import type { Ground } from './ground.ts'

/** A model that runs on this machine's processor, as a child of this process. */
export interface GgufEngine {
  readonly found: FoundEngine
  /** Ends the child. Resolves when it is gone. */
  stop(): Promise<void>
}

/**
 * Starts llama.cpp with the file (operator.md §2) and resolves when the model is loaded. Aborting the signal ends the
 * start, and later the child.
 * @throws Error with a text for the operator
 */
export async function startGgufEngine(file: string, ground: Ground, signal: AbortSignal): Promise<GgufEngine> {
  const { logger, random } = ground
  const child = await startGgufProcess({ file: resolve(file), logger, random, signal })
  const { modelName, contextTokens, baseUrl, apiKey } = child
  const model = {
    id: modelName,
    name: modelName,
    contextTokens,
    maxOutputTokens: null,
    // The file's own template decides about tools and reasoning, request by request.
    functionCalling: false,
    responseSchema: true,
    reasoning: false,
    vision: false,
    logProbs: false,
  }
  return {
    found: { id: 'gguf', kind: 'openai', preset: 'generic', baseUrl, apiKey: new Secret(apiKey), models: [model] },
    stop: () => child.stop(),
  }
}
