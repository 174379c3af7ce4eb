import { answer } from './answer.ts'
import { encodeHead } from './encode-step.ts'
import { type Behaviour, type Ending, end, type PayloadStep, payload, raw, reshape, type Step } from './step.ts'

/**
 * A place in the response. In a JSON body `chunks`, `insideChunk` and `after-finish` mean half of the body,
 * and `after-usage` all of it but the last byte.
 */
export type Place =
  | 'before-headers'
  | 'mid-headers'
  | 'after-headers'
  /** After exactly this many content events; 0 is right before the first one. */
  | { readonly chunks: number }
  /** After this many content events and half of the bytes of the next. */
  | { readonly insideChunk: number }
  /** After the (last) finish reason, before usage. */
  | 'after-finish'
  /** After the (last) usage event, before `[DONE]`. */
  | 'after-usage'
  /** After `[DONE]` or the whole body, before the end of the HTTP message. */
  | 'after-done'
  /** After the complete HTTP message, where a correct engine keeps the connection alive. */
  | 'after-end'

/** The connection dies with RST at the place. */
export function reset(place: Place, of: Behaviour = answer()): Behaviour {
  return cut(place, 'reset', of)
}

/** The connection ends with FIN at the place. */
export function close(place: Place, of: Behaviour = answer()): Behaviour {
  return cut(place, 'close', of)
}

/** Nothing more comes after the place, and the socket stays open until the peer leaves or the engine closes. */
export function hang(place: Place, of: Behaviour = answer()): Behaviour {
  return cut(place, 'hang', of)
}

/** Takes the connection and the request, then neither reads the body nor answers. For `next`. */
export function neverRead(): Behaviour {
  return Object.assign(() => [{ kind: 'stop-reading' } as const, end('hang')], { beforeBody: true })
}

/** Starts the behaviour when the head of the request is complete, while its body is still coming. For `next`. */
export function beforeBody(behaviour: Behaviour): Behaviour {
  return Object.assign((request: Parameters<Behaviour>[0]) => behaviour(request), { beforeBody: true })
}

function cut(place: Place, how: Ending, of: Behaviour): Behaviour {
  return reshape(of, steps => cutSteps(place, how, [...bounded(steps)]))
}

/** The number of steps within which a cut must happen: cuts are not made for endless behaviours. */
const MAX_STEPS = 100_000

function* bounded(steps: Iterable<Step>): Generator<Step> {
  let count = 0
  for (const step of steps) {
    count += 1
    if (count > MAX_STEPS) throw new Error('an endless behaviour cannot be cut')
    yield step
  }
}

function cutSteps(place: Place, how: Ending, steps: readonly Step[]): Step[] {
  if (place === 'before-headers') return [end(how)]
  const headAt = indexOf(steps, step => step.kind === 'head', place)
  if (place === 'mid-headers') {
    const head = steps[headAt]
    const bytes = head?.kind === 'head' ? encodeHead(head) : Buffer.alloc(0)
    return [...steps.slice(0, headAt), raw(bytes.subarray(0, Math.ceil(bytes.length / 2))), end(how)]
  }
  if (place === 'after-headers') return [...steps.slice(0, headAt + 1), end(how)]
  if (place === 'after-end') {
    const completeAt = indexOf(steps, step => step.kind === 'complete', place)
    return [...steps.slice(0, completeAt + 1), end(how)]
  }
  const body = steps.findIndex(step => isPart(step, 'body'))
  if (body >= 0) return [...steps.slice(0, body), ...partOfBody(place, steps[body] as PayloadStep), end(how)]
  return [...cutStream(place, steps), end(how)]
}

function partOfBody(place: Place, { bytes, tokens }: PayloadStep): Step[] {
  if (typeof place === 'object' && 'chunks' in place && place.chunks === 0) return []
  const half = Math.ceil(bytes.length / 2)
  const length = place === 'after-done' ? bytes.length : place === 'after-usage' ? bytes.length - 1 : half
  return [payload('body', bytes.subarray(0, length), tokens)]
}

function cutStream(place: Place, steps: readonly Step[]): Step[] {
  if (place === 'after-finish') return steps.slice(0, 1 + lastIndexOf(steps, step => isPart(step, 'finish'), place))
  if (place === 'after-usage') return steps.slice(0, 1 + lastIndexOf(steps, step => isPart(step, 'usage'), place))
  if (place === 'after-done') return steps.slice(0, 1 + lastIndexOf(steps, step => isPart(step, 'done'), place))
  if (typeof place !== 'object') throw new Error(`unknown place ${place}`)
  const chunks = steps.flatMap((step, index) => (isPart(step, 'chunk') ? [index] : []))
  if ('insideChunk' in place) {
    const at = chunks[place.insideChunk] ?? never(place)
    const { bytes } = steps[at] as PayloadStep
    return [...steps.slice(0, at), payload('other', bytes.subarray(0, Math.ceil(bytes.length / 2)), 1)]
  }
  // Right after the last chunk that is allowed, not after the pause before the next one.
  if (place.chunks > 0) return steps.slice(0, 1 + (chunks[place.chunks - 1] ?? never(place)))
  return steps.slice(0, chunks[0] ?? never(place))
}

function isPart(step: Step, part: PayloadStep['part']): boolean {
  return step.kind === 'payload' && step.part === part
}

function indexOf(steps: readonly Step[], matches: (step: Step) => boolean, place: Place): number {
  const index = steps.findIndex(matches)
  return index >= 0 ? index : never(place)
}

function lastIndexOf(steps: readonly Step[], matches: (step: Step) => boolean, place: Place): number {
  const index = steps.findLastIndex(matches)
  return index >= 0 ? index : never(place)
}

/** A cut that never happens would turn a fault test into a success test. */
function never(place: Place): never {
  throw new Error(`the behaviour never comes to ${JSON.stringify(place)}`)
}
