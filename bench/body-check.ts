import { type Expectation, findFault, leastBodyBytes, streamTail } from './answer-check.ts'

export interface BodyCheckOptions {
  expectation: Expectation
  /** Count the stream's events as they arrive, at the cost of looking at every byte. */
  countEvents: boolean
  /** True for the answers that are read and checked in full. */
  isSampled(): boolean
}

/** Every method throws an Error with the reason when the answer is wrong. */
export interface BodyCheck {
  begin(head: string): void
  add(bytes: Buffer, start: number, end: number): void
  /** To be called when the bytes of a read are about to be overwritten. */
  keepTail(): void
  /** @returns whether the answer was read in full */
  finish(): boolean
}

/** Most that is kept of a sampled answer. */
const maxSampleBytes = 1_048_576

/** Follows the body of one answer after the other: length, end, and on a sample the whole text. */
export function createBodyCheck(options: BodyCheckOptions, onEvents: (count: number) => void): BodyCheck {
  const { expectation } = options
  const leastBytes = leastBodyBytes(expectation)
  let length = 0
  let sample: string[] | null = null
  let last: Buffer | null = null
  let tail = ''
  let isAfterLineFeed = false

  const countEvents = (bytes: Buffer, start: number, end: number) => {
    let count = 0
    for (let at = start; at < end; at++) {
      const isLineFeed = bytes[at] === 10
      if (isLineFeed && isAfterLineFeed) count++
      isAfterLineFeed = isLineFeed && !isAfterLineFeed
    }
    if (count > 0) onEvents(count)
  }

  const keepTail = () => {
    if (last === null) return
    tail = (tail + last.toString('latin1', Math.max(0, last.length - streamTail.length))).slice(-streamTail.length)
    last = null
  }

  return {
    begin(head) {
      if (!head.startsWith('HTTP/1.1 200')) throw new Error(`the answer is ${head.slice(0, head.indexOf('\r\n'))}`)
      length = 0
      tail = ''
      last = null
      sample = options.isSampled() ? [] : null
    },
    add(bytes, start, end) {
      length += end - start
      if (expectation.answer === 'stream') {
        // Only the last pieces matter for the tail; a short one must not hide what came before it.
        if (end - start < streamTail.length) keepTail()
        last = bytes.subarray(start, end)
        if (end - start < streamTail.length) keepTail()
      }
      if (sample !== null && length <= maxSampleBytes) sample.push(bytes.toString('latin1', start, end))
      if (options.countEvents) countEvents(bytes, start, end)
    },
    keepTail,
    finish() {
      keepTail()
      if (length < leastBytes) throw new Error(`the answer has ${length} bytes, fewer than ${leastBytes}`)
      if (expectation.answer === 'stream' && tail !== streamTail) throw new Error('the stream does not end with [DONE]')
      if (sample === null) return false
      const fault = findFault(sample.join(''), expectation)
      if (fault !== null) throw new Error(fault)
      return true
    },
  }
}
