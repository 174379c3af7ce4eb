import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createSharedRoom, type Room } from '../lib/shared-room.ts'
import { readForm } from './read-form.ts'

const boundary = 'edge'
const head = (field: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n`

interface Sent {
  readonly fileBytes: number
  /** How the body is cut on its way. */
  readonly pieceBytes: number
  readonly files?: number
}

function formOf({ fileBytes, pieceBytes, files = 1 }: Sent): IncomingMessage {
  const file = Buffer.concat([Buffer.from(head('file')), Buffer.alloc(fileBytes, 'a'), Buffer.from('\r\n')])
  const whole = Buffer.concat([...Array.from({ length: files }, () => file), Buffer.from(`--${boundary}--\r\n`)])
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
