import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../core/gateway-error.ts'
import { gatewayFull } from '../core/gateway-full.ts'
import { joinBytes } from '../lib/join-bytes.ts'
import type { Room } from '../lib/shared-room.ts'
import { judgeJsonHead } from './judge-json-head.ts'

/** 35 MiB: a request with images in it (venym.md §2.1). */
const bodyBytesMax = 36_700_160

/** All bodies that are being received or held together; beyond it new ones are turned away, not swapped out. */
export const bodiesBytesMax = 268_435_456

/**
 * What can be known of a body before a byte of it is read: its type, its coding, its length.
 * @throws GatewayError unsupported_content_type, body_too_large
 */
export function judgeBodyHead(request: IncomingMessage): void {
  judgeJsonHead(request.headers)
  const length = request.headers['content-length']
  if (length !== undefined && Number(length) > bodyBytesMax) throw tooLarge()
}

export interface ReceivedBody {
  readonly bytes: Buffer
  /** Gives the room back. Called once, when nobody needs the bytes any more. */
  release(): void
}

/** Receives a body within the bounds. @throws GatewayError body_too_large, no_capacity, bad_request when it breaks off */
export function readBody(request: IncomingMessage, room: Room): Promise<ReceivedBody> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    let isWhole = false
    const refuse = (error: GatewayError) => {
      if (isWhole) return
      request.removeAllListeners('data')
      room.giveBack(size)
      size = 0
      reject(error)
    }
    request.on('data', (piece: Buffer) => {
      if (size + piece.length > bodyBytesMax) return refuse(tooLarge())
      if (!room.take(piece.length)) return refuse(noRoom())
      size += piece.length
      pieces.push(piece)
    })
    request.on('end', () => {
      isWhole = true
      const release = () => {
        room.giveBack(size)
        size = 0
      }
      const [only] = pieces
      if (pieces.length === 1 && only !== undefined) return resolve({ bytes: only, release })
      joinBytes(pieces).then(
        bytes => resolve({ bytes, release }),
        error => {
          release()
          reject(error)
        },
      )
    })
    request.on('error', cause => refuse(new GatewayError('bad_request', 'The body broke off.', { cause })))
    request.on('aborted', () => refuse(new GatewayError('bad_request', 'The body broke off.')))
  })
}

function tooLarge(): GatewayError {
  return new GatewayError('body_too_large', `The body is larger than ${bodyBytesMax} bytes (35 MiB).`)
}

function noRoom(): GatewayError {
  return gatewayFull(
    'It receives as many request bodies as it can hold at a time (256 MiB, of which one account gets three quarters at most).',
  )
}
