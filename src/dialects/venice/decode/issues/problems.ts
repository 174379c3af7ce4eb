import type { z } from 'zod'
import { GatewayError, type RequestIssue } from '../../../../core/gateway-error.ts'
import type { Wording } from './issue-wording.ts'
import { type Path, requestIssues } from './schema-issue.ts'

/** Enough to mend a request by; a body with a million faults is answered as briefly as one with a hundred. */
const issuesMax = 100

const title = 'Invalid request parameters'

/** Everything that is wrong with one request, found in one go (venice.md §4.1). */
export class Problems {
  readonly #issues: RequestIssue[] = []
  readonly #titles = new Set<string>()

  /** Nothing more is kept, so nothing more needs to be looked at. */
  get isFull(): boolean {
    return this.#issues.length >= issuesMax
  }

  get isEmpty(): boolean {
    return this.#issues.length === 0
  }

  /** `ownTitle` is what clients expect to read at the top when nothing else is wrong. */
  add(path: Path, wording: Wording, ownTitle: string = title): void {
    this.#titles.add(ownTitle)
    if (!this.isFull) this.#issues.push({ ...wording, path })
  }

  /** What the schema makes of a value at `path` of the body; undefined when it is refused, with the reasons kept. */
  check<Schema extends z.ZodType>(schema: Schema, value: unknown, path: Path): z.output<Schema> | undefined {
    const result = schema.safeParse(value)
    if (result.success) return result.data
    for (const issue of result.error.issues) {
      for (const { path: at, ...wording } of requestIssues(issue, value, path)) this.add(at, wording)
    }
    return undefined
  }

  toError(): GatewayError {
    const [only = title, ...others] = this.#titles
    const param = this.#issues[0]?.path.join('.') ?? ''
    return new GatewayError('invalid_parameters', others.length === 0 ? only : title, {
      param: param === '' ? null : param,
      issues: this.#issues,
    })
  }
}
