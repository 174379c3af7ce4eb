import { createHash } from 'node:crypto'

interface Mutation {
  readonly bytes: Buffer
  /** What was done, for whoever looks at a failure. */
  readonly what: string
}

export type Mutator = (original: Buffer) => Mutation

/** A whole number from 0 to below this. */
type Chance = (below: number) => number

/** Harm that is the same for the same seed: bits, ends, chunks and what headers of zip archives claim. */
export function createMutator(seed: string): Mutator {
  const chance = seededChance(seed)
  return original => {
    const [name, harm] = harms[chance(harms.length)] ?? harms[0]
    const bytes = Buffer.from(original)
    return { bytes: harm(bytes, chance), what: name }
  }
}

const harms: readonly [Harm, ...Harm[]] = [
  ['flipped bits', flipBits],
  ['cut off', (bytes, chance) => bytes.subarray(0, chance(bytes.length))],
  ['without its beginning', (bytes, chance) => bytes.subarray(chance(Math.min(bytes.length, 2_048)))],
  ['swapped chunks', swapChunks],
  ['a chunk twice', repeatChunk],
  ['numbers of zip headers', lieInHeaders],
  ['numbers written out', lieInDigits],
]

type Harm = readonly [string, (bytes: Buffer, chance: Chance) => Buffer]

function flipBits(bytes: Buffer, chance: Chance): Buffer {
  const flips = 1 + chance(64)
  for (let flip = 0; flip < flips && bytes.length > 0; flip += 1) {
    const at = chance(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << chance(8))
  }
  return bytes
}

function swapChunks(bytes: Buffer, chance: Chance): Buffer {
  const size = 1 + chance(Math.max(1, bytes.length >> 2))
  const [one, other] = [chance(bytes.length), chance(bytes.length)]
  const kept = Buffer.from(bytes.subarray(one, one + size))
  bytes.copy(bytes, one, other, other + size)
  kept.copy(bytes, other)
  return bytes
}

function repeatChunk(bytes: Buffer, chance: Chance): Buffer {
  const [from, to] = [chance(bytes.length), chance(bytes.length)].sort((one, other) => one - other)
  return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)])
}

/** Sizes, counts and offsets of an archive become anything; other files get four bytes of noise. */
function lieInHeaders(bytes: Buffer, chance: Chance): Buffer {
  const headers: number[] = []
  for (let at = bytes.indexOf('PK'); at !== -1; at = bytes.indexOf('PK', at + 2)) headers.push(at)
  const header = headers[chance(Math.max(1, headers.length))] ?? chance(Math.max(1, bytes.length))
  const at = Math.min(header + 4 + chance(42), Math.max(0, bytes.length - 4))
  if (bytes.length >= 4) bytes.writeUInt32LE(chance(2) === 0 ? 0xffff_ffff : chance(0xffff_ffff), at)
  return bytes
}

/** Lengths, counts and references of a PDF, or numbers of a text. */
function lieInDigits(bytes: Buffer, chance: Chance): Buffer {
  const numbers = [...bytes.toString('latin1').matchAll(/\d+/g)]
  const number = numbers[chance(Math.max(1, numbers.length))]
  if (number === undefined) return flipBits(bytes, chance)
  const digits = Array.from(number[0], () => `${chance(10)}`).join('')
  bytes.write(digits, number.index, 'latin1')
  return bytes
}

/** The same numbers for the same seed, however many are asked for. */
function seededChance(seed: string): Chance {
  let count = 0
  return below => {
    count += 1
    return createHash('sha256').update(`${seed} ${count}`).digest().readUInt32LE(0) % below
  }
}
