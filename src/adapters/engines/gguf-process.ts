import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../core/logger.ts'
import type { Random } from '../../core/random.ts'
import { type GgufChild, type LaunchOptions, launchGgufChild } from './gguf-child.ts'

const keyBytes = 32
const restartsMax = 5
const restartDelayMs = 250
const restartDelayMsMax = 10_000
/** A child that lived this long was well: the count of restarts begins anew. */
const stableMs = 60_000

export interface GgufProcessOptions {
  /** Path of the GGUF file. */
  readonly file: string
  /** Tokens of prompt and answer together; default: what the model was trained for, at most 8,192. */
  readonly contextTokens?: number
  /** Default: cores − 1, at least 1. */
  readonly threads?: number
  readonly logger: Logger
  readonly random: Random
  /** Aborting it while the model loads ends the start; later it stops the process like `stop`. */
  readonly signal: AbortSignal
}

export interface GgufProcess {
  /** OpenAI-compatible base URL on loopback, ending in `/v1`. The same after a restart. */
  readonly baseUrl: string
  /** Bearer key of this process alone: other programs of the machine can reach the port, but not the model. */
  readonly apiKey: string
  readonly modelName: string
  readonly contextTokens: number
  /** Ends the child and its restarts. Resolves when it is gone. Idempotent. */
  stop(): Promise<void>
}

/**
 * Starts the GGUF engine as a child process and keeps it running: after a crash it is started again on the same port,
 * with growing delays, at most 5 times in a row. While it is down its port refuses connections, which the node's health
 * checks see.
 * @throws Error when the engine is not installed or not built, or when the model cannot be loaded.
 */
export async function startGgufProcess(options: GgufProcessOptions): Promise<GgufProcess> {
  const stopping = new AbortController()
  const signal = AbortSignal.any([options.signal, stopping.signal])
  const apiKey = options.random.hex(keyBytes)
  const launch: LaunchOptions = {
    file: options.file,
    contextTokens: options.contextTokens,
    threads: options.threads,
    key: apiKey,
    port: 0,
    onMessage: text => options.logger.warn('gguf.message', { text }),
  }
  const child = await launchGgufChild(launch, signal)
  const { pid, model, contextTokens, threads } = child
  options.logger.info('gguf.ready', { pid, model, contextTokens, threads })
  const supervision = supervise(child, { launch: { ...launch, port: child.port }, logger: options.logger }, signal)
  return {
    baseUrl: `http://127.0.0.1:${child.port}/v1`,
    apiKey,
    modelName: model,
    contextTokens,
    stop: async () => {
      stopping.abort()
      await supervision
    },
  }
}

interface Supervision {
  readonly launch: LaunchOptions
  readonly logger: Logger
}

/** Follows children until the signal aborts or too many restarts failed. Never rejects. */
async function supervise(first: GgufChild, { launch, logger }: Supervision, signal: AbortSignal): Promise<void> {
  let restarts = 0
  let child: GgufChild | undefined = first
  while (child !== undefined) {
    const stable = setTimeout(() => {
      restarts = 0
    }, stableMs)
    const exit: string = await child.exited
    clearTimeout(stable)
    if (signal.aborted) return
    logger.error('gguf.exited', { exit })
    child = undefined
    while (child === undefined && !signal.aborted && restarts < restartsMax) {
      restarts += 1
      child = await restart(launch, { logger, restarts }, signal)
    }
  }
  if (!signal.aborted) logger.error('gguf.gave_up', { restarts })
}

async function restart(
  launch: LaunchOptions,
  { logger, restarts }: { readonly logger: Logger; readonly restarts: number },
  signal: AbortSignal,
): Promise<GgufChild | undefined> {
  try {
    await sleep(Math.min(restartDelayMs * 2 ** (restarts - 1), restartDelayMsMax), undefined, { signal })
    const child = await launchGgufChild(launch, signal)
    logger.info('gguf.restarted', { pid: child.pid, restarts })
    return child
  } catch (error) {
    if (!signal.aborted)
      logger.error('gguf.restart_failed', { reason: error instanceof Error ? error.message : 'unknown' })
    return undefined
  }
}
