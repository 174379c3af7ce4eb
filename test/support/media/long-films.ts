interface Mp4Track {
  readonly handler: 'vide' | 'soun'
  readonly samples: number
  /** Of each sample, in units of a thousandth of a second. */
  readonly units: number
  readonly claimedUnits?: number
}

/** A film of these tracks, with so many bytes of content. Sound is AAC at 44.1 kHz. */
export function makeMp4(
  tracks: readonly Mp4Track[],
  { brand = 'isom', contentBytes = 200_000, extra = '' } = {},
): Buffer {
  const fileType = box('ftyp', Buffer.from(`${brand}\0\0\0\0${brand}`))
  const movie = box('moov', movieHeader('mvhd', 0), ...tracks.map(trackOf), ...(extra === '' ? [] : [box(extra)]))
  return Buffer.concat([fileType, movie, box('mdat', Buffer.alloc(contentBytes))])
}

function trackOf({ handler, samples, units, claimedUnits = 0 }: Mp4Track): Buffer {
  const table = box(
    'stbl',
    box('stsd', words(0, 1), handler === 'soun' ? aacEntry : box('avc1', Buffer.alloc(78))),
    box('stts', words(0, 1, samples, units)),
    box('stsz', words(0, 100, samples)),
  )
  const kind = box('hdlr', words(0, 0), Buffer.from(handler), Buffer.alloc(13))
  return box('trak', box('mdia', movieHeader('mdhd', claimedUnits), kind, box('minf', table)))
}

const specific = Buffer.from([5, 2, 0x12, 0x10])
const decoder = Buffer.concat([Buffer.from([4, 13 + specific.length, 0x40]), Buffer.alloc(12), specific])
const stream = Buffer.concat([Buffer.from([3, 3 + decoder.length, 0, 1, 0]), decoder])
const aacEntry = box('mp4a', Buffer.alloc(28), box('esds', words(0), stream))

function movieHeader(name: string, duration: number): Buffer {
  return box(name, words(0, 0, 0, 1_000, duration), Buffer.alloc(80))
}

function box(name: string, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([words(content.length + 8), Buffer.from(name), content])
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

/** A film with a picture of 5,000 bytes each second, as browsers record it: lengths unknown; it claims `claimed` ms. */
export function makeWebm(seconds: number, { claimed = 0, codec = 'V_VP8' } = {}): Buffer {
  const length = Buffer.alloc(8)
  length.writeDoubleBE(claimed)
  const clusters = Array.from({ length: seconds }, (_, second) => [
    Buffer.from('1f43b67501ffffffffffffff', 'hex'),
    element('e7', words(second * 1_000)),
    element('a3', Buffer.from([0x81, 0, 0, 0]), Buffer.alloc(5_000)),
  ])
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    Buffer.from('1853806701ffffffffffffff', 'hex'),
    element('1549a966', element('4489', length)),
    element('1654ae6b', element('ae', element('d7', Buffer.from([1])), element('86', Buffer.from(codec)))),
    ...clusters.flat(),
  ])
}

function element(id: string, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const size = words(content.length)
  size[0] = 0x10
  return Buffer.concat([Buffer.from(id, 'hex'), size, content])
}
