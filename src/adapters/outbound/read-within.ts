import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { FetchRefused, type FetchRequest } from '../../core/guarded-fetch.ts'
import { joinBytes } from '../../lib/join-bytes.ts'
import type { HostAnswer } from './ask-host.ts'

/** What an encoding adds to a body that it cannot make smaller. */
const encodingBytesMax = 65_536

/** Servers may encode although they were asked not to; more than one encoding has no use but to hide a bomb. */
const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const

/**
 * The whole body without its content encoding. What comes out is counted, and what goes in too, since an encoding can go
 * on for ever and say nothing. Reading stops with the first byte too many, so that a bomb costs no more than the bound.
 * @throws FetchRefused
 */
export async function readWithin(
  { headers, body }: HostAnswer,
  { bytesMax, mayKeep }: Pick<FetchRequest, 'bytesMax' | 'mayKeep'>,
): Promise<Buffer> {
  if (Number(headers['content-length']) > bytesMax) throw new FetchRefused('too_large')
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of decoded(counted(body, bytesMax), headers['content-encoding'])) {
      length += chunk.length
      if (length > bytesMax) throw new FetchRefused('too_large')
      if (mayKeep?.(chunk.length) === false) throw new FetchRefused('busy')
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof FetchRefused ? error : new FetchRefused('unreachable', { cause: error })
  }
  return joinBytes(chunks)
}

async function* counted(body: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > bytesMax + encodingBytesMax) throw new FetchRefused('too_large')
    yield chunk
  }
}

function decoded(body: AsyncIterable<Buffer>, encoding: string | string[] | undefined): AsyncIterable<Buffer> {
  const name = String(encoding ?? 'identity')
    .trim()
    .toLowerCase()
  if (name === 'identity' || name === '') return body
  if (!isKnown(name)) throw new FetchRefused('encoding')
  const source = Readable.from(body)
  const decoder = decoders[name]()
  source.once('error', error => decoder.destroy(error))
  decoder.once('close', () => source.destroy())
  return source.pipe(decoder)
}

function isKnown(name: string): name is keyof typeof decoders {
  return Object.hasOwn(decoders, name)
}
