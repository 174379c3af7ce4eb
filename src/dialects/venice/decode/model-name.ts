import type { ModelNaming } from '../../../core/completion-policy.ts'
import { modelCharactersMax } from './chat-schema.ts'
import type { Problems } from './issues/problems.ts'
import { decodeSuffix, type SuffixSettings } from './model-suffix.ts'

/** What decoding may ask of the catalogue: a suffix ends a name only where no model is called so. */
export interface ModelNames {
  hasModel(name: string, naming: ModelNaming): boolean
}

export interface DecodedModelName {
  readonly name: string
  readonly settings: SuffixSettings
}

interface NameContext {
  readonly names: ModelNames
  readonly naming: ModelNaming
}

interface Context extends NameContext {
  readonly problems: Problems
}

/** Where a suffix begins in a name that no model has, so that the refusal names the model that was meant. */
const suffixStart = /:\w+=/

/** `zai-org-glm:disable_thinking=true` → the model's name and the settings behind it (venice.md §1.6). */
export function decodeModelName(model: string, context: Context): DecodedModelName {
  // The schema refuses it and says why; here it is only not looked up once for each of a million colons.
  if (model.length > modelCharactersMax) return { name: model, settings: {} }
  const end = endOfName(model, context)
  return { name: model.slice(0, end), settings: decodeSuffix(model.slice(end + 1), context.problems) }
}

/** The name alone, whatever the suffix says. */
export function nameOfModel(model: string, names: NameContext): string {
  return model.length > modelCharactersMax ? model : model.slice(0, endOfName(model, names))
}

/** The whole string may be a name; else the longest known name before a colon is (venice.md §19). */
function endOfName(model: string, { names, naming }: NameContext): number {
  if (names.hasModel(model, naming)) return model.length
  for (let colon = model.lastIndexOf(':'); colon > 0; colon = model.lastIndexOf(':', colon - 1)) {
    if (names.hasModel(model.slice(0, colon), naming)) return colon
  }
  const start = model.search(suffixStart)
  return start > 0 ? start : model.length
}
