/** What a version of Claude takes; the API refuses what it does not. */
export interface ClaudeFacts {
  /** `budget`: thinks within a number of tokens. `adaptive`: decides itself and is told an effort. */
  readonly thinking: 'budget' | 'adaptive'
  /** Whether it takes temperature, top_p and top_k. */
  readonly isSampled: boolean
  /** Whether it thinks at all, and whether it keeps to a schema. */
  readonly canThink: boolean
  readonly keepsSchema: boolean
}

/** From these versions on, as major × 100 + minor. */
const thinkingFrom = 307
const schemaFrom = 405
const adaptiveFrom = 406
const unsampledFrom = 407

/**
 * By the version in the engine's name of the model: `claude-3-7-sonnet-20250219` is 3.7, `claude-opus-4-20250514` is 4.0.
 * A name that says none is taken for one of the newest.
 */
export function claudeFacts(engineModel: string): ClaudeFacts {
  const [, major, minor = '0'] = /claude-(?:[a-z]+-)?(\d)(?:[-.](\d{1,2})(?!\d))?/.exec(engineModel) ?? []
  const version = major === undefined ? Number.POSITIVE_INFINITY : Number(major) * 100 + Number(minor)
  return {
    thinking: version < adaptiveFrom ? 'budget' : 'adaptive',
    isSampled: version < unsampledFrom,
    canThink: version >= thinkingFrom,
    keepsSchema: version >= schemaFrom,
  }
}
