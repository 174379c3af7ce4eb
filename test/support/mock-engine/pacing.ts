import { encodeStep } from './encode-step.ts'
import { type Behaviour, type PayloadStep, pause, payload, raw, reshape, type Step } from './step.ts'

/** The first byte comes this much later. */
export function delayed(ms: number, behaviour: Behaviour): Behaviour {
  return reshape(behaviour, steps => chain(pause(ms), steps))
}

/** Everything, the head too, goes out in pieces of `bytes` (default 1) with `everyMs` (default 1) between them. */
export function drip(behaviour: Behaviour, options: { bytes?: number; everyMs?: number } = {}): Behaviour {
  const { bytes: size = 1, everyMs = 1 } = options
  return reshape(behaviour, steps => dripSteps(steps, size, everyMs))
}

/** Each event becomes one HTTP chunk and one write per `bytes` bytes: every split of UTF-8 and of line ends occurs. */
export function splitEvery(bytes: number, behaviour: Behaviour): Behaviour {
  return reshape(behaviour, steps => splitSteps(steps, bytes))
}

/** All that follows without a pause goes out as one HTTP chunk in one write. */
export function burst(behaviour: Behaviour): Behaviour {
  return reshape(behaviour, burstSteps)
}

/** Pauses once after this many content events: a stall between two tokens. */
export function stall(options: { afterChunks: number; ms: number }, behaviour: Behaviour): Behaviour {
  return reshape(behaviour, steps => stallSteps(steps, options.afterChunks, options.ms))
}

function* chain(...lists: Iterable<Step>[]): Generator<Step> {
  for (const list of lists) yield* list
}

function* dripSteps(steps: Iterable<Step>, size: number, everyMs: number): Generator<Step> {
  let chunked = false
  for (const step of steps) {
    if (step.kind === 'head') chunked = step.chunked
    const bytes = encodeStep(step, chunked)
    if (bytes.length === 0) {
      yield step
      continue
    }
    for (let start = 0; start < bytes.length; start += size) {
      yield raw(bytes.subarray(start, start + size))
      yield* pause(everyMs)
    }
    // The bytes are out; what is left of the step is its meaning.
    if (step.kind === 'payload') yield { ...step, bytes: Buffer.alloc(0) }
  }
}

function* splitSteps(steps: Iterable<Step>, size: number): Generator<Step> {
  for (const step of steps) {
    if (step.kind !== 'payload') {
      yield step
      continue
    }
    for (let start = 0; start < step.bytes.length; start += size) {
      const last = start + size >= step.bytes.length
      const piece = step.bytes.subarray(start, start + size)
      yield payload(last ? step.part : 'other', piece, last ? step.tokens : 0)
    }
  }
}

function* burstSteps(steps: Iterable<Step>): Generator<Step> {
  let held: PayloadStep[] = []
  function* flush(): Generator<Step> {
    if (held.length > 0) yield payload('other', Buffer.concat(held.map(step => step.bytes)))
    // Bytes first, then their meaning: what was not written was not generated.
    for (const step of held) yield { ...step, bytes: Buffer.alloc(0) }
    held = []
  }
  for (const step of steps) {
    if (step.kind === 'payload') held.push(step)
    else {
      yield* flush()
      yield step
    }
  }
  yield* flush()
}

function* stallSteps(steps: Iterable<Step>, afterChunks: number, ms: number): Generator<Step> {
  let chunks = 0
  for (const step of steps) {
    yield step
    if (step.kind !== 'payload' || step.part !== 'chunk') continue
    chunks += 1
    if (chunks === afterChunks) yield* pause(ms)
  }
}
