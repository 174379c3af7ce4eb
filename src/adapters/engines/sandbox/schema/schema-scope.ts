import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts'
import type { PatternNode } from './pattern-node.ts'
import { readPattern } from './read-pattern.ts'
import { SchemaRefused } from './schema-refused.ts'

/** Steps of work for one schema: tens of milliseconds. What needs more is refused instead of keeping others waiting. */
const stepsMax = 60_000

/** Levels of judging one value: far above what an instance and its schema can need. */
const nestingMax = 300

/** One schema document while an instance of it is made: what its references mean, and how much work is left. */
export class SchemaScope {
  /** Least nesting of an instance, by schema and by how many references were followed. */
  readonly heights = new Map<JsonObject, (number | undefined)[]>()
  private readonly root: JsonValue
  private readonly patterns = new Map<string, PatternNode>()
  private stepsLeft = stepsMax
  private nesting = 0

  constructor(root: JsonValue) {
    this.root = root
  }

  /** @throws SchemaRefused when the schema takes more work than it may */
  spend(steps = 1): void {
    this.stepsLeft -= steps
    if (this.stepsLeft < 0) throw new SchemaRefused('takes more work than the test mode does for one schema')
  }

  /** Runs one level of a recursion. @throws SchemaRefused when there are too many of them, one within the other */
  within<T>(task: () => T): T {
    if (this.nesting >= nestingMax) throw new SchemaRefused('refers to itself without an end')
    this.nesting += 1
    try {
      return task()
    } finally {
      this.nesting -= 1
    }
  }

  /** More than half of the work is done: from now on only what must be there is made. */
  get isShort(): boolean {
    return this.stepsLeft < stepsMax / 2
  }

  /** The schema that a reference names. @throws SchemaRefused when it points outside of the document or nowhere */
  resolve(reference: string): JsonValue {
    if (reference !== '#' && !reference.startsWith('#/'))
      throw new SchemaRefused('may only refer to its own parts, as in `#/$defs/name`')
    let found: JsonValue | undefined = this.root
    for (const part of reference.split('/').slice(1)) found = member(found, decodePointerPart(part))
    if (found === undefined) throw new SchemaRefused('refers to a part that it does not have')
    return found
  }

  /** @throws SchemaRefused when the pattern is not a simple one */
  pattern(source: string): PatternNode {
    const known = this.patterns.get(source)
    if (known !== undefined) return known
    this.spend(source.length)
    const pattern = readPattern(source)
    this.patterns.set(source, pattern)
    return pattern
  }
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d{1,6}$/.test(name) ? value[Number(name)] : undefined
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function decodePointerPart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    throw new SchemaRefused('has a reference that is not a JSON pointer')
  }
}
