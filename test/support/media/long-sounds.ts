/** Sounds whose length is known, with whatever their headers say about it. */
export function makeWav(
  seconds: number,
  { rate = 16_000, bits = 16, coding = 1, extra = Buffer.alloc(0) } = {},
): Buffer {
  const blockBytes = bits / 8
  const format = Buffer.alloc(24)
  format.write('fmt ')
  format.writeUInt32LE(16, 4)
  format.writeUInt16LE(coding, 8)
  format.writeUInt16LE(1, 10)
  format.writeUInt32LE(rate, 12)
  format.writeUInt32LE(rate * blockBytes, 16)
  format.writeUInt16LE(blockBytes, 20)
  format.writeUInt16LE(bits, 22)
  const samples = Buffer.alloc(seconds * rate * blockBytes)
  const data = Buffer.concat([Buffer.from('data'), littleWord(samples.length), samples])
  const body = Buffer.concat([Buffer.from('WAVE'), format, extra, data])
  return Buffer.concat([Buffer.from('RIFF'), littleWord(body.length), body])
}

export function makeAiff(seconds: number, rate = 16_000): Buffer {
  const common = Buffer.alloc(26)
  common.write('COMM')
  common.writeUInt32BE(18, 4)
  common.writeUInt16BE(1, 8)
  common.writeUInt16BE(16, 14)
  const exponent = Math.floor(Math.log2(rate))
  common.writeUInt16BE(16_383 + exponent, 16)
  common.writeBigUInt64BE(BigInt(rate) << BigInt(63 - exponent), 18)
  const samples = Buffer.alloc(seconds * rate * 2)
  const sound = Buffer.concat([Buffer.from('SSND'), bigWord(samples.length + 8), Buffer.alloc(8), samples])
  const body = Buffer.concat([Buffer.from('AIFF'), common, sound])
  return Buffer.concat([Buffer.from('FORM'), bigWord(body.length), body])
}

/** Frames of 128 kbit/s at 44.1 kHz, each 1,152 samples; `kilobits: 32` makes them smaller. */
export function makeMp3(frames: number, kilobits: 128 | 32 = 128): Buffer {
  const frame = Buffer.alloc(kilobits === 128 ? 417 : 104)
  frame.set([0xff, 0xfb, kilobits === 128 ? 0x90 : 0x10, 0])
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}

/** Frames of 200 bytes of AAC in ADTS at 44.1 kHz, each 1,024 samples. */
export function makeAdts(frames: number): Buffer {
  const frame = Buffer.alloc(200)
  frame.set([0xff, 0xf1, 0x50, 0x80, 200 >> 3, ((200 & 7) << 5) | 0x1f, 0xfc])
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}

/** Frames of 4,096 samples at 16 kHz, whose content is noise of 500 bytes; the header claims `claimed` samples. */
export function makeFlac(frames: number, claimed = 0): Buffer {
  const info = Buffer.alloc(34)
  info.writeUIntBE((16_000 << 4) | 0, 10, 3)
  info.writeUInt32BE(claimed, 14)
  const all = Array.from({ length: frames }, (_, index) => {
    const head = Buffer.from([0xff, 0xf8, 0xc0, 0x08, index & 0x7f, 0])
    head[5] = crc8(head.subarray(0, 5))
    return Buffer.concat([head, Buffer.alloc(500, 0x55)])
  })
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), info, ...all])
}

function crc8(bytes: Buffer): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1
  }
  return crc
}

/** Pages of 50 packets of 20 ms each, 60 bytes long; the last page claims a position of `claimed` samples. */
export function makeOpus(pages: number, claimed = 0): Buffer {
  const head = Buffer.concat([Buffer.from('OpusHead'), Buffer.alloc(11)])
  const packet = Buffer.concat([Buffer.from([0x78]), Buffer.alloc(59, 0x11)])
  const packets = Array.from({ length: 50 }, () => packet)
  const sound = Array.from({ length: pages }, () => oggPage(0, claimed, packets))
  return Buffer.concat([oggPage(2, 0, [head]), ...sound])
}

/** Pages of 50 packets, whose long blocks are 2,048 samples at 48 kHz. */
export function makeVorbis(pages: number): Buffer {
  const head = Buffer.concat([Buffer.from('\x01vorbis', 'latin1'), Buffer.alloc(23)])
  head.writeUInt32LE(48_000, 12)
  head[28] = 0xb8
  const packets = Array.from({ length: 50 }, () => Buffer.alloc(200, 0x11))
  return Buffer.concat([oggPage(2, 0, [head]), ...Array.from({ length: pages }, () => oggPage(0, 0, packets))])
}

function oggPage(flags: number, position: number, packets: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(27)
  head.write('OggS')
  head[5] = flags
  head.writeBigInt64LE(BigInt(position), 6)
  head.writeUInt32LE(7, 14)
  head[26] = packets.length
  return Buffer.concat([head, Buffer.from(packets.map(({ length }) => length)), ...packets])
}

function littleWord(value: number): Buffer {
  return Buffer.from(Uint32Array.of(value).buffer)
}

function bigWord(value: number): Buffer {
  return littleWord(value).reverse()
}
