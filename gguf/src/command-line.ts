import { parseArgs } from 'node:util'
import type { EngineOptions } from './model/load-engine.ts'

export interface CommandLine extends EngineOptions {
  /** 0 lets the system choose. */
  readonly port: number
  /** From the environment, because command lines are visible to every user of the machine. */
  readonly key: string | undefined
}

/** `--file F [--port N] [--context N] [--threads N]`, and the key in `RIALTO_GGUF_KEY`. @throws Error saying what is wrong. */
export function parseCommandLine(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): CommandLine {
  const { values } = parseArgs({
    args: [...words],
    strict: true,
    options: {
      file: { type: 'string' },
      port: { type: 'string' },
      context: { type: 'string' },
      threads: { type: 'string' },
    },
  })
  if (values.file === undefined) throw new Error('--file is required')
  return {
    file: values.file,
    port: readCount('--port', values.port, { min: 0, max: 65_535 }) ?? 0,
    contextTokens: readCount('--context', values.context, { min: 64, max: 16_777_216 }),
    threads: readCount('--threads', values.threads, { min: 1, max: 1_024 }),
    key: environment['RIALTO_GGUF_KEY'] || undefined,
  }
}

function readCount(
  name: string,
  text: string | undefined,
  bounds: { readonly min: number; readonly max: number },
): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= bounds.min && value <= bounds.max) return value
  throw new Error(`${name} must be an integer from ${bounds.min} to ${bounds.max}`)
}
