import type { JsonValue } from '../../../../lib/json.ts'
import type { Path } from '../issues/schema-issue.ts'
import type { PlacedPart } from './decode-parts.ts'

/** The parts of the message at `path`, each with its own place. */
export function placeParts(content: readonly JsonValue[], path: Path): PlacedPart[] {
  return content.map((part, index) => ({ part, path: [...path, 'content', index] }))
}
