import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../core/gateway-error.ts'

/** 35 MiB: a request with images in it (venym.md §2.1). */
const bodyBytesMax = 36_700_160

/** All bodies that are being received or held together; beyond it new ones are turned away, not swapped out. */
const bodiesBytesMax = 268_435_456

/** Counts the bytes of all bodies that are in the gateway at a time. */
export interface BodyBudget {
  /** False when there is no room. */
  take(bytes: number): boolean
  giveBack(bytes: number): void
}

export function createBodyBudget(bytesMax = bodiesBytesMax): BodyBudget {
  let used = 0
  return {
    take(bytes) {
      if (used + bytes > bytesMax) return false
      used += bytes
      return true
    },
    giveBack(bytes) {
      used -= bytes
    },
  }
}

/**
 * What can be known of a body before a byte of it is read: its type, its coding, its length.
 * @throws GatewayError unsupported_content_type, body_too_large
 */
export function judgeBodyHead(request: IncomingMessage): void {
  const {
    'content-type': contentType = '',
    'content-encoding': coding = 'identity',
    'content-length': length,
  } = request.headers
  if (!isJsonType(contentType)) {
    throw new GatewayError('unsupported_content_type', 'Send the body as `Content-Type: application/json`.', {
      param: 'Content-Type',
    })
  }
  if (coding.toLowerCase() !== 'identity') {
    throw new GatewayError('unsupported_content_type', 'Send the body without a Content-Encoding.', {
      param: 'Content-Encoding',
    })
  }
  if (length !== undefined && Number(length) > bodyBytesMax) throw tooLarge()
}

/** `application/json`, with UTF-8 as the only charset; a list of types or a look-alike is not JSON. */
function isJsonType(contentType: string): boolean {
  return /^application\/json[\t ]*(;[\t ]*charset[\t ]*=[\t ]*"?utf-?8"?[\t ]*)?$/i.test(contentType)
}

export interface ReceivedBody {
  readonly bytes: Buffer
  /** Gives the room back. Called once, when nobody needs the bytes any more. */
  release(): void
}

/** Receives a body within the bounds. @throws GatewayError body_too_large, no_capacity, bad_request when it breaks off */
export function readBody(request: IncomingMessage, budget: BodyBudget): Promise<ReceivedBody> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    const refuse = (error: GatewayError) => {
      request.removeAllListeners('data')
      budget.giveBack(size)
      size = 0
      reject(error)
    }
    request.on('data', (piece: Buffer) => {
      if (size + piece.length > bodyBytesMax) return refuse(tooLarge())
      if (!budget.take(piece.length)) return refuse(noRoom())
      size += piece.length
      pieces.push(piece)
    })
    request.on('end', () => {
      const [only] = pieces
      const bytes = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces)
      let held = size
      size = 0
      resolve({
        bytes,
        release() {
          budget.giveBack(held)
          held = 0
        },
      })
    })
    request.on('error', cause => refuse(new GatewayError('bad_request', 'The body broke off.', { cause })))
    request.on('aborted', () => refuse(new GatewayError('bad_request', 'The body broke off.')))
  })
}

function tooLarge(): GatewayError {
  return new GatewayError('body_too_large', `The body is larger than ${bodyBytesMax} bytes (35 MiB).`)
}

function noRoom(): GatewayError {
  return new GatewayError('no_capacity', 'The gateway holds as many bodies as it can. Try again shortly.', {
    retryAfterSeconds: 2,
  })
}
