/** Longer words are not compared: the work grows with the product of the lengths. */
const lengthMax = 256

/** More candidates than any list that people pick from; the rest are not looked at. */
const candidatesMax = 1_000

/**
 * How many letters must be inserted, removed or replaced to make one word of the other (Levenshtein), in UTF-16 units.
 * `Infinity` when it is more than `limit` or a word is longer than 256.
 */
export function editDistance(left: string, right: string, limit: number = lengthMax): number {
  if (left.length > lengthMax || right.length > lengthMax) return Number.POSITIVE_INFINITY
  if (Math.abs(left.length - right.length) > limit) return Number.POSITIVE_INFINITY
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const replaced = at(previous, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, at(previous, column) + 1, at(current, column - 1) + 1))
    }
    // No later row has a smaller value than the smallest of this one.
    if (Math.min(...current) > limit) return Number.POSITIVE_INFINITY
    previous = current
  }
  const distance = at(previous, right.length)
  return distance > limit ? Number.POSITIVE_INFINITY : distance
}

/** No suggestion differs in more letters, so that comparing with a word that is far off ends after a few rows. */
const editsMax = 4

/**
 * The candidate that was probably meant: at most a third of the word's letters and at most four differ, letter case aside. A
 * word may also match what follows a candidate's last slash, because people leave out prefixes. The first of equals; null
 * for none.
 */
export function suggest(word: string, candidates: Iterable<string>): string | null {
  const wanted = word.toLowerCase()
  let best: string | null = null
  let limit = Math.min(Math.floor(wanted.length / 3), editsMax)
  let looked = 0
  for (const candidate of candidates) {
    if (++looked > candidatesMax) break
    const distance = distanceToName(wanted, candidate.toLowerCase(), limit)
    if (distance > limit) continue
    best = candidate
    if (distance === 0) break
    limit = distance - 1
  }
  return best
}

function distanceToName(wanted: string, name: string, limit: number): number {
  const short = name.slice(name.lastIndexOf('/') + 1)
  return Math.min(editDistance(wanted, name, limit), editDistance(wanted, short, limit))
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
