/** A word in a prompt that makes the test mode do something on purpose. */
interface MagicInput<Value> {
  /** What follows the equals sign, as docs/test-mode.md spells it; empty for a switch. */
  readonly syntax: string
  /** The value that a text means; null when it means none. The text is empty when there is none. */
  read(text: string): Value | null
}

const countMax = 100_000
const waitMaxMs = 60_000

/** What the model's own output limit lets through: 16,384 tokens of 16 characters. */
const largeBytesMax = 250_000

/**
 * Every magic input. The prompt holds `sandbox:NAME` or `sandbox:NAME=VALUE`; what they do is one table in
 * docs/test-mode.md, which has the same names, values and order.
 */
export const magicInputs = {
  'refuse-connection': flag(),
  reset: flag(),
  hang: flag(),
  status: count(400, 599),
  'retry-after': count(1, waitMaxMs / 1_000),
  garbage: flag(),
  'error-first': flag(),
  'first-token': duration(),
  slow: duration(),
  'reset-after': count(0, countMax),
  'hang-after': count(0, countMax),
  'error-after': count(0, countMax),
  'no-finish': flag(),
  'no-usage': flag(),
  usage: oneOf('zero', 'negative', 'huge', 'shrinking', 'twice', 'text'),
  cached: count(0, countMax),
  'cache-write': count(0, countMax),
  reasoning: count(0, countMax),
  tokens: count(0, countMax),
  'tokens-per-chunk': count(1, countMax),
  large: count(1, largeBytesMax),
  'over-limit': flag(),
  finish: oneOf('length', 'content_filter'),
  echo: flag(),
  empty: flag(),
  refusal: flag(),
  tool: toolName(),
  'parallel-tools': count(1, 128),
} as const

export type MagicName = keyof typeof magicInputs

/** What a prompt asks for. */
export type Magic = {
  readonly [Name in MagicName]?: Exclude<ReturnType<(typeof magicInputs)[Name]['read']>, null>
}

export function isMagicName(name: string): name is MagicName {
  return Object.hasOwn(magicInputs, name)
}

function flag(): MagicInput<true> {
  return { syntax: '', read: text => (text === '' ? true : null) }
}

function count(min: number, max: number): MagicInput<number> {
  return {
    syntax: `${min}..${max}`,
    read(text) {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
      return value >= min && value <= max ? value : null
    },
  }
}

/** Milliseconds from 0 to a minute. */
function duration(): MagicInput<number> {
  return {
    syntax: 'TIME',
    read(text) {
      const [, amount, unit] = /^(\d{1,5}(?:\.\d{1,3})?)(ms|s)$/.exec(text) ?? []
      const milliseconds = Number(amount ?? Number.NaN) * (unit === 's' ? 1_000 : 1)
      return milliseconds <= waitMaxMs ? milliseconds : null
    },
  }
}

function oneOf<Word extends string>(...words: readonly Word[]): MagicInput<Word> {
  return { syntax: words.join('|'), read: text => words.find(word => word === text) ?? null }
}

function toolName(): MagicInput<string> {
  return { syntax: 'NAME', read: text => (/^[\w-]{1,64}$/.test(text) ? text : null) }
}
