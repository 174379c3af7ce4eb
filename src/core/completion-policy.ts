/** Behaviour that a dialect chooses, as plain data. The core branches on these values, never on a dialect's name. */
export interface CompletionPolicy {
  /** What an output limit above the model's own does: lower it quietly, or refuse the request. */
  readonly overCap: 'clamp' | 'reject'
  /** Whether a finished answer without output tokens is still billed for its usage (money.md §3). */
  readonly emptyAnswer: 'usage' | 'free_tokens'
}
