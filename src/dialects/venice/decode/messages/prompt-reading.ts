import type { CapabilityNeed } from '../../../../core/completion-request.ts'
import type { JsonObject } from '../../../../lib/json.ts'
import { custom } from '../issues/issue-wording.ts'
import type { Problems } from '../issues/problems.ts'
import type { Path } from '../issues/schema-issue.ts'

/** Explicit caches that engines keep for one prompt (venice.md §11). */
const breakpointsMax = 4
const videosMax = 3

/** The messages of one request while they are read: what is wrong, what they need, what is counted over all of them. */
export class PromptReading {
  readonly problems: Problems
  readonly #needs = new Map<CapabilityNeed['capability'], Path>()
  readonly #mediaPaths = new Map<JsonObject, Path>()
  #breakpoints = 0
  #videos = 0

  constructor(problems: Problems) {
    this.problems = problems
  }

  /** The first part of each kind stands for all of them. */
  get needs(): readonly CapabilityNeed[] {
    return [...this.#needs].map(([capability, path]) => ({ capability, path }))
  }

  get mediaPaths(): ReadonlyMap<JsonObject, Path> {
    return this.#mediaPaths
  }

  /** Keeps where a part stood that is not text. */
  place(part: JsonObject, path: Path): void {
    this.#mediaPaths.set(part, path)
  }

  need(capability: CapabilityNeed['capability'], path: Path): void {
    if (!this.#needs.has(capability)) this.#needs.set(capability, path)
  }

  countBreakpoint(path: Path): void {
    if (++this.#breakpoints !== breakpointsMax + 1) return
    const message = `A request may hold at most ${breakpointsMax} cache_control breakpoints; this is one more`
    this.problems.add([...path, 'cache_control'], custom(message))
  }

  countVideo(): void {
    this.#videos++
  }

  /** To be called when all messages were read. */
  finish(): void {
    if (this.#videos <= videosMax) return
    const message = `A request may hold at most ${videosMax} video_url parts; this one holds ${this.#videos}`
    this.problems.add(['messages'], custom(message))
  }
}
