import { type CodePointRange, isInRanges, type PatternNode } from './pattern-node.ts'
import type { SchemaScope } from './schema-scope.ts'

/** Characters that people like to read, in the order in which they are tried. */
const likedCharacters = Array.from('abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_ .', char =>
  char.charCodeAt(0),
)
const firstVisible = 0x21

/** How many of the choices at every `|` are tried, and how many lengths. */
const turnsMax = 4
const growthMax = 64

const charactersPerStep = 16

export interface SampleWish {
  /** Different numbers give different samples where the pattern allows it. */
  readonly variant: number
  /** Code points. */
  readonly min: number
  readonly max: number
}

interface Sampling {
  readonly scope: SchemaScope
  readonly variant: number
  readonly turn: number
  /** Repetitions that may still be added to those that must be. */
  growth: number
}

/**
 * Strings that are likely to match the pattern and are within the lengths. They are candidates: what a pattern looks ahead
 * for is not taken into account here.
 */
export function* samplePattern(pattern: PatternNode, wish: SampleWish, scope: SchemaScope): Generator<string> {
  for (let turn = 0; turn < turnsMax; turn++) {
    const make = (growth: number) => sampleOf(pattern, { scope, variant: wish.variant, turn, growth })
    const shortest = make(0)
    scope.spend()
    if (shortest.length > wish.max) continue
    if (shortest.length >= wish.min) yield shortest
    else yield* grow(shortest, { make, wish, scope })
  }
}

function* grow(
  shortest: string,
  { make, wish, scope }: { make: (growth: number) => string; wish: SampleWish; scope: SchemaScope },
): Generator<string> {
  const missing = wish.min - shortest.length
  for (const growth of [missing, ...Array(Math.min(missing, growthMax)).keys()]) {
    const grown = make(growth)
    if (grown.length >= wish.min && grown.length <= wish.max) yield grown
  }
  // A pattern without an end leaves room behind it.
  scope.spend(wish.min)
  yield shortest.padEnd(wish.min, 'a')
}

function sampleOf(node: PatternNode, sampling: Sampling): string {
  switch (node.kind) {
    case 'set':
      return sampleSet(node.ranges, sampling.variant)
    case 'sequence':
      return node.items.map(item => sampleOf(item, sampling)).join('')
    case 'choice': {
      const option = node.options[sampling.turn % node.options.length]
      return option === undefined ? '' : sampleOf(option, sampling)
    }
    case 'repeat':
      return sampleRepeat(node, sampling)
    case 'edge':
    case 'look':
      return ''
  }
}

function sampleRepeat({ item, min, max }: Extract<PatternNode, { kind: 'repeat' }>, sampling: Sampling): string {
  const added = Math.min(sampling.growth, max - min)
  sampling.growth -= added
  const count = min + added
  if (count === 0) return ''
  const first = sampleOf(item, sampling)
  const next = count === 1 ? '' : sampleOf(item, sampling)
  sampling.scope.spend(Math.ceil((count * next.length) / charactersPerStep))
  return first + next.repeat(count - 1)
}

function sampleSet(ranges: readonly CodePointRange[], variant: number): string {
  const liked = likedCharacters.filter(char => isInRanges(char, ranges))
  const chosen = liked[variant % liked.length] ?? firstOf(ranges)
  return String.fromCodePoint(chosen)
}

function firstOf(ranges: readonly CodePointRange[]): number {
  const visible = ranges.find(([, last]) => last >= firstVisible)
  return visible === undefined ? (ranges[0]?.[0] ?? firstVisible) : Math.max(visible[0], firstVisible)
}
