import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createSharedRoom, type Room } from '../lib/shared-room.ts'
import { readForm } from './read-form.ts'

const boundary = 'edge'
const head = (field: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n`

const end = `--${boundary}--\r\n`

interface Sent {
  readonly fileBytes: number
  /** How the body is cut on its way. */
  readonly pieceBytes: number
  readonly files?: number
}

function formOf({ fileBytes, pieceBytes, files = 1 }: Sent): IncomingMessage {
  const file = part('file', fileBytes)
  return requestOf(Buffer.concat([...Array.from({ length: files }, () => file), Buffer.from(end)]), pieceBytes)
}

function part(field: string, bytes: number): Buffer {
  return Buffer.concat([Buffer.from(head(field)), Buffer.alloc(bytes, 'a'), Buffer.from('\r\n')])
}

function requestOf(whole: Buffer, pieceBytes: number): IncomingMessage {
  function* body() {
    for (let at = 0; at < whole.length; at += pieceBytes) yield whole.subarray(at, at + pieceBytes)
  }
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return Object.assign(Readable.from(body(), { objectMode: false }), { headers }) as unknown as IncomingMessage
}

/** Room of which the one account that uses it gets so much. */
function roomOf(bytes: number): Room {
  return createSharedRoom(Math.ceil((bytes * 4) / 3)).of('acct_test')
}

const turn = () => new Promise(resolve => setImmediate(resolve))

const mebibyte = 1_048_576

describe.each([50_000, 65_536, 100 * mebibyte])('in pieces of %i bytes', pieceBytes => {
  it.each([
    ['is larger than a file may be', { fileBytes: 26 * mebibyte }, 64 * mebibyte, 'body_too_large'],
    ['finds no room', { fileBytes: 3 * mebibyte }, 100_000, 'no_capacity'],
    ['finds no room at all', { fileBytes: 3 * mebibyte }, 1, 'no_capacity'],
    ['is the second one', { fileBytes: 200_000, files: 2 }, mebibyte, 'bad_request'],
  ])('a file that %s gives all its room back', async (_, sent, roomBytes, code) => {
    const request = formOf({ ...sent, pieceBytes })
    const room = roomOf(roomBytes)
    await expect(readForm(request, room)).rejects.toMatchObject({ code })
    while (!request.readableEnded) await turn()
    expect(room.take(roomBytes)).toBe(true)
  })
})

it('a file that was received takes its room until it is let go, once, also when its sender leaves', async () => {
  const room = roomOf(262_144)
  const request = formOf({ fileBytes: 262_144, pieceBytes: 65_536 })
  const form = await readForm(request, room)
  request.emit('aborted')
  expect([form.file?.bytes.length, room.take(1)]).toEqual([262_144, false])
  form.release()
  form.release()
  expect([room.take(262_144), room.take(1)]).toEqual([true, false])
})

describe('what stands around the file counts too:', () => {
  const [long, short] = [26 * mebibyte, 60_000]
  const field = (bytes: number) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'a'.repeat(bytes)}\r\n`)
  const forms: Readonly<Record<string, (bytes: number) => readonly Buffer[]>> = {
    'what comes before the first boundary': bytes => [Buffer.alloc(bytes, 'a'), Buffer.from('\r\n'), part('file', 9)],
    'a file of another field': bytes => [part('other', bytes)],
    'another field': bytes => [field(bytes), part('file', 9)],
    'a part that is nothing': bytes => [
      Buffer.from(`--${boundary}\r\n\r\n`),
      Buffer.alloc(bytes, 'a'),
      Buffer.from('\r\n'),
    ],
    'the head of a part': bytes => [
      Buffer.from(`--${boundary}\r\nA: ${'a'.repeat(bytes)}\r\n\r\na\r\n`),
      part('file', 9),
    ],
    'what comes after the last boundary': bytes => [part('file', 9), Buffer.from(end), Buffer.alloc(bytes, 'a')],
  }

  it.each(Object.entries(forms))('%s', async (_, make) => {
    const room = roomOf(1_000)
    const request = requestOf(Buffer.concat([...make(long), Buffer.from(end)]), 65_536)
    await expect(readForm(request, room)).rejects.toMatchObject({
      code: 'body_too_large',
      message: 'The form is larger than 26279936 bytes (25 MiB for the file, 64 KiB for all around it).',
    })
    while (!request.readableEnded) await turn()
    expect(room.take(1_000)).toBe(true)
  })

  it.each(['what comes before the first boundary', 'what comes after the last boundary'])(
    'a file that is as long as it may be leaves room for %s',
    async name => {
      const around = forms[name]?.(short) ?? []
      const whole = around.map(piece => (piece.equals(part('file', 9)) ? part('file', 25 * mebibyte) : piece))
      const form = await readForm(requestOf(Buffer.concat([...whole, Buffer.from(end)]), 65_536), roomOf(64 * mebibyte))
      expect(form.file?.bytes.length).toBe(25 * mebibyte)
    },
  )
})
