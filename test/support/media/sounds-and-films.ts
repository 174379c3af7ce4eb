/** The shortest files that are what they say: what players look at first, and silence. */
const second = 8_000

export const sounds: Readonly<Record<string, Buffer>> = {
  wav: chunked('RIFF', 'WAVE', [
    riff('fmt ', words16(1, 1), word32(second), word32(second), words16(1, 8)),
    riff('data', Buffer.alloc(second, 128)),
  ]),
  mp3: repeated(Buffer.from([0xff, 0xfb, 0x90, 0x00]), 417, 8),
  aiff: Buffer.concat([Buffer.from('FORM'), bigWord32(54), Buffer.from('AIFFCOMM'), bigWord32(18), Buffer.alloc(36)]),
  aac: repeated(Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc]), 16, 8),
  ogg: Buffer.concat([
    Buffer.from('OggS'),
    Buffer.alloc(22),
    Buffer.from([1, 19]),
    Buffer.from('OpusHead'),
    Buffer.alloc(64),
  ]),
  flac: Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), Buffer.alloc(64)]),
  m4a: boxed('M4A '),
  pcm16: Buffer.alloc(2_000),
  pcm24: Buffer.alloc(3_000),
}

export const films: Readonly<Record<string, Buffer>> = {
  mp4: boxed('isom'),
  quicktime: boxed('qt  '),
  mov: boxed('qt  '),
  webm: Buffer.concat([
    Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x8f, 0x42, 0x82, 0x84]),
    Buffer.from('webm'),
    Buffer.alloc(64),
  ]),
  mpeg: Buffer.concat([Buffer.from([0, 0, 1, 0xba, 0x44, 0, 4, 0, 4, 1]), Buffer.alloc(64)]),
}

function boxed(brand: string): Buffer {
  return Buffer.concat([
    bigWord32(24),
    Buffer.from(`ftyp${brand}`),
    bigWord32(0),
    Buffer.from(`${brand}isom`),
    Buffer.alloc(64),
  ])
}

function chunked(name: string, kind: string, chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(kind), ...chunks])
  return Buffer.concat([Buffer.from(name), word32(body.length), body])
}

function riff(name: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(name), word32(body.length), body])
}

function repeated(head: Buffer, frameBytes: number, count: number): Buffer {
  const frame = Buffer.concat([head, Buffer.alloc(frameBytes - head.length)])
  return Buffer.concat(Array.from({ length: count }, () => frame))
}

function words16(...values: readonly number[]): Buffer {
  return Buffer.from(Uint16Array.from(values).buffer)
}

function word32(value: number): Buffer {
  return Buffer.from(Uint32Array.of(value).buffer)
}

function bigWord32(value: number): Buffer {
  return word32(value).reverse()
}
