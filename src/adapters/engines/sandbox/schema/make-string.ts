import type { JsonObject } from '../../../../lib/json.ts'
import { formatSamples } from './format-samples.ts'
import { readCount, readText } from './keywords.ts'
import type { Place } from './place.ts'
import { samplePattern } from './sample-pattern.ts'
import { SchemaRefused } from './schema-refused.ts'

/** Longer strings than this are not made. */
const lengthMax = 100_000

/** Steps that a made character costs are a fraction of one. */
const charactersPerStep = 16

/** Strings for the schemas: of the format when it is known, else of the pattern, else a word of a fitting length. */
export function* makeStrings(parts: readonly JsonObject[], { scope, variant }: Place): Generator<string> {
  const min = Math.max(0, ...parts.map(part => readCount(part, 'minLength') ?? 0))
  const max = Math.min(...parts.map(part => readCount(part, 'maxLength') ?? Number.POSITIVE_INFINITY))
  if (min > lengthMax) throw new SchemaRefused(`wants a string of more than ${lengthMax} characters`)
  scope.spend(Math.ceil(min / charactersPerStep))
  const wish = { variant, min, max }
  const formatted = parts.map(part => formatSamples(readText(part, 'format'), wish)).find(samples => samples !== null)
  if (formatted !== undefined) return yield* formatted
  const patterns = parts.map(part => readText(part, 'pattern')).filter(pattern => pattern !== undefined)
  const samples = patterns.map(pattern => [...samplePattern(scope.pattern(pattern), wish, scope)])
  yield* samples.flat()
  // A beginning, a middle and an end are often three patterns.
  if (samples.length > 1) yield samples.map(([sample = '']) => sample).join('')
  if (samples.length > 0) return
  // A second word, in case that the first one is excluded.
  yield makeWord(wish)
  yield makeWord({ ...wish, variant: variant + 1 })
}

const word = 'sandbox'

/** What makes a variant differ stands first, so that it survives a short `maxLength`. */
function makeWord({ variant, min, max }: { variant: number; min: number; max: number }): string {
  const text = variant === 0 ? word : `${variant.toString(36)} ${word}`
  const padded = text.length >= min ? text : text.padEnd(min, ` ${word}`)
  return padded.slice(0, max)
}
