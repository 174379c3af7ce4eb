/** Integers are generated with at most 15 digits, so that every JSON reader gets them exactly. */
export const integerMax = 999_999_999_999_999

/**
 * GBNF for the decimal integers from `min` to `max`, both included and both within ±integerMax.
 * Throws RangeError when there is none.
 */
export function integerRange(min: number, max: number): string {
  if (min > max) throw new RangeError('empty range')
  const alternatives: string[] = []
  if (min < 0) alternatives.push(...naturals(Math.max(1, -max), -min).map(digits => `"-" ${digits}`))
  if (max >= 0) alternatives.push(...naturals(Math.max(0, min), max))
  return `(${alternatives.join(' | ')})`
}

/** One alternative or more for each count of digits between `low` and `high`, both at least 0. */
function naturals(low: number, high: number): readonly string[] {
  const alternatives: string[] = []
  for (let length = String(low).length; length <= String(high).length; length += 1) {
    const smallest = length === 1 ? 0 : 10 ** (length - 1)
    const largest = 10 ** length - 1
    alternatives.push(...sameLength(String(Math.max(low, smallest)), String(Math.min(high, largest))))
  }
  return alternatives
}

/** Alternatives for the digit strings from `low` to `high`, which are equally long. */
function sameLength(low: string, high: string): readonly string[] {
  const rest = low.length - 1
  const [first, last] = [Number(low[0]), Number(high[0])]
  if (rest === 0) return [`[${first}-${last}]`]
  if (isRun(low.slice(1), '0') && isRun(high.slice(1), '9')) return [`[${first}-${last}] [0-9]{${rest}}`]
  if (first === last) return prefixed(first, sameLength(low.slice(1), high.slice(1)))
  const alternatives = [...prefixed(first, sameLength(low.slice(1), '9'.repeat(rest)))]
  if (last - first > 1) alternatives.push(`[${first + 1}-${last - 1}] [0-9]{${rest}}`)
  alternatives.push(...prefixed(last, sameLength('0'.repeat(rest), high.slice(1))))
  return alternatives
}

function isRun(text: string, digit: string): boolean {
  return text === digit.repeat(text.length)
}

function prefixed(digit: number, alternatives: readonly string[]): readonly string[] {
  return alternatives.map(alternative => `"${digit}" ${alternative}`)
}
