import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { answer } from './answer.ts'
import { type Behaviour, complete, head, payload, reshape, type Step } from './step.ts'

const compress = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync }

export type ContentCoding = keyof typeof compress

/**
 * The answer in these content codings, applied in order, whether the peer accepts them or not.
 * The body goes out in one piece when the behaviour is through, and its pauses come before it.
 */
export function compressed(codings: readonly ContentCoding[], behaviour: Behaviour = answer()): Behaviour {
  return reshape(behaviour, steps => compressSteps(steps, codings))
}

/** A small gzip body that unpacks to this many mebibytes of JSON text. */
export function compressionBomb(mebibytes: number): Behaviour {
  const bytes = gzipSync(
    Buffer.concat([Buffer.from('{"id":"'), Buffer.alloc(mebibytes * 1024 * 1024, 'x'), Buffer.from('"}')]),
  )
  const headers = [['Content-Encoding', 'gzip']] as const
  return () => [
    head(200, { contentType: 'application/json', framing: { length: bytes.length }, headers }),
    payload('body', bytes),
    complete,
  ]
}

function* compressSteps(steps: Iterable<Step>, codings: readonly ContentCoding[]): Generator<Step> {
  const pieces: Buffer[] = []
  let tokens = 0
  let contentType: string | undefined
  for (const step of steps) {
    if (step.kind === 'head') contentType = step.headers.find(([name]) => name === 'Content-Type')?.[1]
    else if (step.kind === 'payload') {
      pieces.push(step.bytes)
      tokens += step.tokens
    } else if (step.kind !== 'complete') yield step
  }
  const bytes = codings.reduce<Buffer>((body, coding) => compress[coding](body), Buffer.concat(pieces))
  const headers = [['Content-Encoding', codings.join(', ')]] as const
  yield head(200, { contentType, framing: { length: bytes.length }, headers })
  yield payload('body', bytes, tokens)
  yield complete
}
