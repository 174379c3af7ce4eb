import type { Grounding, GroundingError } from '../../core/grounding.ts'

export function nothingFound(kind: Grounding['kind'], error: GroundingError): Grounding {
  return { kind, sources: [], error }
}
