import { encodeEvent } from './sse-style.ts'
import { type Behaviour, complete, head, payload, type Step } from './step.ts'

const WRITE_BYTES = 64 * 1024
const MEBIBYTE = 1024 * 1024
/** So that a peer that swallows everything still gets an end: far more than any limit under test. */
const DEFAULT_MEBIBYTES = 1024

interface Flood {
  /** How much is sent before the stream ends by itself. Default 1,024. */
  readonly mebibytes?: number
}

/** One `data:` line without an end: a JSON text value that goes on and on. */
export function giganticLine(options: Flood = {}): Behaviour {
  return flood({ first: 'data: {"id":"', repeat: 'x'.repeat(WRITE_BYTES), last: '"}\n\n', ...options })
}

/** A line without any field name, newline or end. */
export function giganticJunkLine(options: Flood = {}): Behaviour {
  return flood({ repeat: 'y'.repeat(WRITE_BYTES), ...options })
}

/** One event of `data:` lines that never ends with a blank line. */
export function endlessEvent(options: Flood = {}): Behaviour {
  return flood({ repeat: repeated('data: {"more": true}\n'), ...options })
}

/** Events whose data is empty. */
export function endlessEmptyData(options: Flood = {}): Behaviour {
  return flood({ repeat: repeated('data:\n\n'), ...options })
}

export function endlessComments(options: Flood = {}): Behaviour {
  return flood({ repeat: repeated(': still here\n'), ...options })
}

export function endlessBlankLines(options: Flood = {}): Behaviour {
  return flood({ repeat: repeated('\n'), ...options })
}

/** A JSON completion (not a stream) whose text goes on and on. */
export function giganticJson(options: Flood = {}): Behaviour {
  return flood({
    contentType: 'application/json',
    first: '{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"',
    repeat: 'z'.repeat(WRITE_BYTES),
    last: '"},"finish_reason":"stop"}]}',
    ...options,
  })
}

/**
 * Valid chunks as fast as the peer takes them, without end: shows whether back-pressure arrives.
 * `bytesWritten` of the request says how much the peer (and the kernel's buffers) took; each event counts as one token.
 */
export function fastStream(options: Flood & { text?: string } = {}): Behaviour {
  const chunk = {
    id: 'mock-fast',
    object: 'chat.completion.chunk',
    created: 1_767_225_600,
    model: 'mock-model',
    choices: [{ index: 0, delta: { content: options.text ?? ' token' }, finish_reason: null }],
  }
  const event = encodeEvent(JSON.stringify(chunk))
  const events = Math.max(1, Math.floor(WRITE_BYTES / event.length))
  return flood({ repeat: event.toString().repeat(events), tokens: events, ...options })
}

interface FloodPlan extends Flood {
  readonly contentType?: string
  readonly first?: string
  readonly repeat: string
  readonly last?: string
  /** Worth of one repetition. */
  readonly tokens?: number
}

/** The same buffer is written again and again, so that a flood costs the test no memory. */
function flood(plan: FloodPlan): Behaviour {
  const { contentType = 'text/event-stream', first, last, tokens = 0, mebibytes = DEFAULT_MEBIBYTES } = plan
  const repeat = payload(tokens > 0 ? 'chunk' : 'other', plan.repeat, tokens)
  return function* (): Generator<Step> {
    yield head(200, { contentType, framing: 'chunked' })
    if (first !== undefined) yield payload('other', first)
    for (let sent = 0; sent < mebibytes * MEBIBYTE; sent += repeat.bytes.length) yield repeat
    if (last !== undefined) yield payload('other', last)
    yield complete
  }
}

function repeated(text: string): string {
  return text.repeat(Math.floor(WRITE_BYTES / text.length))
}
