/** Code points from the first to the second, both included. */
export type CodePointRange = readonly [first: number, last: number]

/** A regular expression of the simple kind: no look behind, no back references, no properties of Unicode. */
export type PatternNode =
  | { readonly kind: 'set'; readonly ranges: readonly CodePointRange[] }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly item: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: 'edge'; readonly at: 'start' | 'end' | 'word' | 'inside' }
  | { readonly kind: 'look'; readonly item: PatternNode; readonly wanted: boolean }

const codePointMax = 0x10ffff

export function isInRanges(codePoint: number, ranges: readonly CodePointRange[]): boolean {
  return ranges.some(([first, last]) => codePoint >= first && codePoint <= last)
}

/** Everything that is in none of the ranges. */
export function invertRanges(ranges: readonly CodePointRange[]): readonly CodePointRange[] {
  const inverted: CodePointRange[] = []
  let next = 0
  for (const [first, last] of [...ranges].sort(([left], [right]) => left - right)) {
    if (first > next) inverted.push([next, first - 1])
    next = Math.max(next, last + 1)
  }
  return next <= codePointMax ? [...inverted, [next, codePointMax]] : inverted
}

const digits: readonly CodePointRange[] = [[0x30, 0x39]]
const spaces: readonly CodePointRange[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]

export const wordRanges: readonly CodePointRange[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]

/** What `.` stands for: everything but the ends of lines. */
export const anyRanges = invertRanges([
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
])

/** The sets that a backslash and a letter stand for. */
export const namedRanges: ReadonlyMap<string, readonly CodePointRange[]> = new Map([
  ['d', digits],
  ['D', invertRanges(digits)],
  ['w', wordRanges],
  ['W', invertRanges(wordRanges)],
  ['s', spaces],
  ['S', invertRanges(spaces)],
])
