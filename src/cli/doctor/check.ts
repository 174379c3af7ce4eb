/** One line of `rialto doctor` (operator.md §6). */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  /** What to do about it; null when there is nothing to do. */
  readonly mend: string | null
}

export function passed(name: string, detail: string): Check {
  return { name, ok: true, detail, mend: null }
}

export function failed(name: string, detail: string, mend: string): Check {
  return { name, ok: false, detail, mend }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
