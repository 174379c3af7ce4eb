/** Behaviour that a dialect chooses, as plain data. The core branches on these values, never on a dialect's name. */
export interface CompletionPolicy {
  /** What an output limit above the model's own does: lower it quietly, or refuse the request where the model has a cap. */
  readonly overCap: 'clamp' | 'reject'
  /** Whether a finished answer without output tokens is still billed for its usage (money.md §3). */
  readonly emptyAnswer: 'usage' | 'free_tokens'
  /** Which name answers show: the one that was asked for, or the id of the model that it meant. */
  readonly shownModel: 'asked' | 'resolved'
  readonly modelNames: ModelNaming
}

/** How names of models are read: exactly, or also as traits, aliases and look-alikes, without the prefix. */
export type ModelNaming = { readonly kind: 'exact' } | { readonly kind: 'lenient'; readonly prefix: string }
