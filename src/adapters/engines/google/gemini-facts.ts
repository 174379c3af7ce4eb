/** What a version of Gemini takes. */
export interface GeminiFacts {
  /** `budget`: thinks within a number of tokens. `level`: is told how much in words. */
  readonly thinking: 'budget' | 'level'
  /** Whether it refuses calls of tools that come back without its signature. */
  readonly wantsSignatures: boolean
}

const levelsFrom = 3

/** By the version in the engine's name of the model: `gemini-2.5-flash` is 2. A name that says none is one of the newest. */
export function geminiFacts(engineModel: string): GeminiFacts {
  const [, major] = /gemini-(\d+)/.exec(engineModel) ?? []
  const isNew = major === undefined || Number(major) >= levelsFrom
  return { thinking: isNew ? 'level' : 'budget', wantsSignatures: isNew }
}
