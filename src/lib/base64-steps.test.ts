import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeBase64Steps, encodeBase64Steps } from './base64-steps.ts'
import { inTurns } from './turns.ts'

/** What a decoder of the whole says: null when fewer bytes come out than went in. */
function decodeAtOnce(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return bytes.length === Math.floor(((text.length - padding) * 3) / 4) ? bytes : null
}

const bytes = fc.uint8Array({ maxLength: 60 }).map(list => Buffer.from(list))
const pieceCharacters = fc.constantFrom(4, 8, 12, 64)

it('in pieces of any size, base64 is what it is as a whole: padded, not padded and in the alphabet of addresses', async () => {
  const encoded = fc.tuple(bytes, fc.constantFrom('base64', 'base64url', 'bare')).map(([raw, form]) => {
    return form === 'bare' ? raw.toString('base64').replaceAll('=', '') : raw.toString(form as BufferEncoding)
  })
  await fc.assert(
    fc.asyncProperty(encoded, pieceCharacters, async (text, piece) => {
      expect(await inTurns(decodeBase64Steps(text, piece))).toEqual(decodeAtOnce(text))
    }),
  )
})

it('what is refused as a whole is refused in pieces, and what is taken is the same', async () => {
  const damaged = fc
    .tuple(bytes, fc.nat(), fc.constantFrom('=', '==', ' ', '\n', '!', 'é', ':', 'A', 'AA', '-'))
    .map(([raw, place, damage]) => {
      const text = raw.toString('base64')
      const at = place % (text.length + 1)
      return text.slice(0, at) + damage + text.slice(at)
    })
  await fc.assert(
    fc.asyncProperty(damaged, pieceCharacters, async (text, piece) => {
      const inPieces = await inTurns(decodeBase64Steps(text, piece))
      const whole = decodeAtOnce(text)
      // A stray character that makes no difference to the length is only overlooked in the last piece.
      if (inPieces !== null) expect(inPieces).toEqual(whole)
      else if (whole !== null) expect(text).toMatch(/[^A-Za-z0-9+/]./s)
    }),
    { numRuns: 2_000 },
  )
})

it('a line feed behind the text makes no difference', async () => {
  for (const text of ['QUJD', 'QUJDQUJD'])
    expect((await inTurns(decodeBase64Steps(`${text}\n`, 4)))?.toString('base64')).toBe(text)
})

it('what is encoded in turns is the usual base64 behind its head', async () => {
  const raw = Buffer.alloc(5_000_001, 'some bytes that are no multiple of three')
  const text = await inTurns(encodeBase64Steps('data:x/y;base64,', raw))
  expect(text.equals(Buffer.from(`data:x/y;base64,${raw.toString('base64')}`))).toBe(true)
})
