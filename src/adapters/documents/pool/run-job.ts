import type { Clock } from '../../../core/clock.ts'
import { joinBytes } from '../../../lib/join-bytes.ts'
import { readProcess } from './child-meter.ts'
import type { DocumentChild } from './child-process.ts'
import type { Job, JobFailureReason, JobLimits, JobOutcome } from './job.ts'
import { readAnswer } from './read-answer.ts'

/** How often a child is measured: what grows faster than a wall in this time is past it until then. */
const measureEveryMs = 50

/**
 * Gives a child its one job and waits for the answer or a wall. The child is dead when this resolves.
 * @throws AbortError
 */
export async function runJob(
  child: DocumentChild,
  job: Job,
  { limits, clock, signal }: { readonly limits: JobLimits; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<JobOutcome> {
  let cut: JobFailureReason | null = null
  const end = () => {
    child.kill()
    // What left the child's group may hold on to its output.
    child.stdout.destroy()
  }
  const cutFor = (reason: JobFailureReason) => {
    cut ??= reason
    end()
  }
  const stopWatching = watch(child, { limits, clock, cutFor })
  signal.addEventListener('abort', end, { once: true })
  // The caller may have left while the child was started.
  if (signal.aborted) end()
  try {
    child.stdin.write(`${JSON.stringify(job.head)}\n`)
    child.stdin.end(job.bytes)
    const bytes = await receive(child, job.answerBytesMax, () => cutFor('output'))
    child.kill()
    await child.exited
    signal.throwIfAborted()
    if (cut !== null) return { kind: 'failure', reason: cut }
    const answer = readAnswer(bytes)
    if (answer !== null) return { kind: 'answer', ...answer }
    return { kind: 'failure', reason: child.hasOverflowed() ? 'memory' : 'crash' }
  } finally {
    stopWatching()
    signal.removeEventListener('abort', end)
  }
}

interface Watch {
  readonly limits: JobLimits
  readonly clock: Clock
  readonly cutFor: (reason: JobFailureReason) => void
}

/** Processor time counts from now on: what the child needed to start is not the job's. */
function watch(child: DocumentChild, { limits, clock, cutFor }: Watch): () => void {
  const beganMs = clock.monotonic()
  const spentMs = readProcess(child.pid)?.cpuMs ?? 0
  const timer = setInterval(() => {
    if (clock.monotonic() - beganMs > limits.wallMsMax) return cutFor('timeout')
    const used = readProcess(child.pid)
    if (used === null) return
    if (used.memoryBytes > limits.memoryBytesMax) return cutFor('memory')
    if (used.cpuMs - spentMs > limits.cpuMsMax) return cutFor('timeout')
  }, measureEveryMs)
  return () => clearInterval(timer)
}

/** Resolves with all that the child wrote when its output ends, however it ended. */
function receive(child: DocumentChild, bytesMax: number, onTooMuch: () => void): Promise<Buffer> {
  return new Promise(resolve => {
    const pieces: Buffer[] = []
    let size = 0
    child.stdout.on('data', (piece: Buffer) => {
      size += piece.length
      if (size > bytesMax) return onTooMuch()
      pieces.push(piece)
    })
    const end = () => resolve(joinBytes(pieces))
    // A child that waited for its job may have been gone before it came.
    if (child.stdout.closed) end()
    else child.stdout.once('close', end)
  })
}
