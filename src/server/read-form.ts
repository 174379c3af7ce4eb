import type { IncomingMessage } from 'node:http'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { GatewayError } from '../core/gateway-error.ts'
import { gatewayFull } from '../core/gateway-full.ts'
import type { Room } from '../lib/shared-room.ts'

/** 25 MB is what may be sent (venice.md §0); whoever counts in powers of two means this. */
const fileBytesMax = 26_214_400
const limits = {
  fileSize: fileBytesMax,
  files: 1,
  fields: 16,
  parts: 17,
  fieldNameSize: 100,
  fieldSize: 1_024,
  headerPairs: 16,
  headerSize: 8_192,
}
/** Around the file: boundaries, heads, fields, and what stands before the first boundary and after the last. */
const overheadBytesMax = 65_536
const formBytesMax = fileBytesMax + overheadBytesMax

interface FormFile {
  readonly bytes: Buffer
  readonly name: string | null
  readonly mediaType: string | null
}

export interface ReceivedForm {
  /** The one file of the field `file`; null without one. */
  readonly file: FormFile | null
  readonly fields: ReadonlyMap<string, string>
  /** Gives the room back. To be called once. */
  release(): void
}

/** What can be known of a form before a byte of it is read. @throws GatewayError unsupported_content_type, body_too_large */
export function judgeFormHead({ headers }: IncomingMessage): void {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity', 'content-length': length } = headers
  if (!/^multipart\/form-data[\t ]*;/i.test(type)) {
    const facts = { expected: 'multipart/form-data' }
    const message = 'Send the body as `Content-Type: multipart/form-data` with a boundary.'
    throw new GatewayError('unsupported_content_type', message, { param: 'Content-Type', facts })
  }
  if (coding.toLowerCase() !== 'identity')
    throw new GatewayError('unsupported_content_type', 'Send the body without a Content-Encoding.', {
      param: 'Content-Encoding',
    })
  if (length !== undefined && Number(length) > formBytesMax) throw formTooLarge()
}

/**
 * Receives a form with one file within its bounds. Everything that is sent counts, of whatever part, up to the end of the
 * request. @throws GatewayError body_too_large, no_capacity, bad_request
 */
export function readForm(request: IncomingMessage, room: Room): Promise<ReceivedForm> {
  return new Promise((resolve, reject) => {
    const form = openForm(request)
    if (form === null) return reject(broken())
    const parts = createParts(room)
    let received = 0
    const count = (piece: Buffer) => {
      received += piece.length
      if (received > formBytesMax) refuse(formTooLarge())
    }
    const refuse = (error: GatewayError) => {
      request.off('data', count)
      request.unpipe(form)
      // The rest is read and dropped, within the bounds of every refusal, so that the caller reads the answer.
      request.resume()
      parts.release()
      reject(error)
    }
    form.on('field', (name, value, _, isCut) => {
      if (isCut) refuse(new GatewayError('bad_request', `A field is longer than ${limits.fieldSize} bytes.`))
      else parts.fields.set(name, value)
    })
    form.on('file', (field, stream, name, _, mediaType) => {
      // Each file has faults of its own, such as a form that ends within it; without a listener one would end the process.
      stream.on('error', (cause: unknown) => refuse(broken(cause)))
      if (field !== 'file') return void stream.resume()
      parts.begin({ name: name ?? null, mediaType: mediaType ?? null })
      stream.on('limit', () => refuse(fileTooLarge()))
      stream.on('data', (piece: Buffer) => {
        if (!parts.add(piece)) refuse(noRoom())
      })
    })
    form.on('filesLimit', () => refuse(new GatewayError('bad_request', 'Send one file at a time.')))
    form.on('partsLimit', () => refuse(new GatewayError('bad_request', 'The form has too many parts.')))
    form.on('error', (cause: unknown) => refuse(broken(cause)))
    const breakOff = () => refuse(broken())
    const finish = () => {
      request.off('aborted', breakOff)
      resolve(parts.end())
    }
    // The last boundary ends the form, and not what is sent.
    form.on('finish', () => (request.readableEnded ? finish() : request.once('end', finish)))
    request.on('aborted', breakOff)
    request.on('data', count)
    request.pipe(form)
  })
}

type FileHead = Omit<FormFile, 'bytes'>

/** What has come of a form, and the room that it takes. */
function createParts(room: Room) {
  const fields = new Map<string, string>()
  const pieces: Buffer[] = []
  let head: FileHead | null = null
  let size = 0
  let isReleased = false
  const release = () => {
    room.giveBack(size)
    size = 0
    isReleased = true
  }
  return {
    fields,
    release,
    begin(file: FileHead) {
      head = file
    },
    /** False when there is no room. What still comes of a form that was refused is dropped, and takes none. */
    add(piece: Buffer): boolean {
      if (isReleased) return true
      if (!room.take(piece.length)) return false
      size += piece.length
      pieces.push(piece)
      return true
    },
    end: (): ReceivedForm => ({
      file: head === null ? null : { ...head, bytes: Buffer.concat(pieces) },
      fields,
      release,
    }),
  }
}

type Form = InstanceType<typeof Busboy>

/** Null where the head of the body names no boundary. */
function openForm({ headers }: IncomingMessage): Form | null {
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits })
  } catch {
    return null
  }
}

function broken(cause?: unknown): GatewayError {
  return new GatewayError('bad_request', 'The body is no form that can be read to its end.', { cause })
}

function formTooLarge(): GatewayError {
  const bound = `${formBytesMax} bytes (25 MiB for the file, 64 KiB for all around it)`
  return new GatewayError('body_too_large', `The form is larger than ${bound}.`)
}

function fileTooLarge(): GatewayError {
  return new GatewayError('body_too_large', `The file is larger than ${fileBytesMax} bytes (25 MiB).`)
}

function noRoom(): GatewayError {
  return gatewayFull('It receives as many files as it can hold at a time.')
}
