import { isInRanges, type PatternNode, wordRanges } from './pattern-node.ts'
import type { SchemaScope } from './schema-scope.ts'

/** Places in a text, each from 0 to its length. */
type Places = ReadonlySet<number>

interface Match {
  readonly codePoints: readonly number[]
  readonly scope: SchemaScope
}

/**
 * Whether the pattern matches anywhere in the text. All ways to match are followed at once, as sets of places, so that the
 * work grows with the product of both lengths and never exponentially.
 * @throws SchemaRefused when it is too much work
 */
export function matchesPattern(pattern: PatternNode, text: string, scope: SchemaScope): boolean {
  const codePoints = Array.from(text, char => char.codePointAt(0) ?? 0)
  const everywhere = new Set([...codePoints.keys(), codePoints.length])
  return findEnds(pattern, everywhere, { codePoints, scope }).size > 0
}

/** Where the node can end when it begins at one of the places. */
function findEnds(node: PatternNode, starts: Places, match: Match): Places {
  match.scope.spend(1 + starts.size)
  switch (node.kind) {
    case 'set':
      return new Set(
        [...starts]
          .filter(at => at < match.codePoints.length && isInRanges(match.codePoints[at] ?? 0, node.ranges))
          .map(at => at + 1),
      )
    case 'sequence':
      return node.items.reduce((places, item) => (places.size === 0 ? places : findEnds(item, places, match)), starts)
    case 'choice':
      return new Set(node.options.flatMap(option => [...findEnds(option, starts, match)]))
    case 'repeat':
      return repeatEnds(node, starts, match)
    case 'edge':
      return new Set([...starts].filter(at => isEdge(node.at, at, match.codePoints)))
    case 'look':
      return new Set([...starts].filter(at => findEnds(node.item, new Set([at]), match).size > 0 === node.wanted))
  }
}

function repeatEnds(
  { item, min, max }: Extract<PatternNode, { kind: 'repeat' }>,
  starts: Places,
  match: Match,
): Places {
  const ends = new Set(min === 0 ? starts : [])
  let places = starts
  for (let count = 1; count <= max && places.size > 0; count++) {
    const reached = findEnds(item, places, match)
    // A place that was reached with fewer repetitions has been followed already.
    places = count < min ? reached : new Set([...reached].filter(at => !ends.has(at)))
    if (count >= min) for (const at of places) ends.add(at)
  }
  return ends
}

function isEdge(
  edge: Extract<PatternNode, { kind: 'edge' }>['at'],
  at: number,
  codePoints: readonly number[],
): boolean {
  if (edge === 'start') return at === 0
  if (edge === 'end') return at === codePoints.length
  const isWord = (codePoint: number | undefined) => codePoint !== undefined && isInRanges(codePoint, wordRanges)
  const isBetween = isWord(codePoints[at - 1]) !== isWord(codePoints[at])
  return isBetween === (edge === 'word')
}
