import { GatewayError } from '../../core/gateway-error.ts'
import { suggest } from '../../lib/edit-distance.ts'
import type { CatalogIndex } from './resolve-model.ts'

/** Longer names are cut in messages and get no suggestion: comparing them costs more than the help is worth. */
const nameCharactersMax = 128

/** 404 for a name that no model has, with the id that was probably meant. */
export function modelNotFound(index: CatalogIndex, name: string): GatewayError {
  const shown = name.length > nameCharactersMax ? `${name.slice(0, nameCharactersMax)}…` : name
  const meant = name.length > nameCharactersMax ? null : suggestModel(index, name)
  const hint = meant === null ? 'The list of models (`GET …/models`) says what there is.' : `Did you mean \`${meant}\`?`
  const facts = { model: shown, suggestions: meant === null ? [] : [meant] }
  return new GatewayError('model_not_found', `There is no model \`${shown}\`. ${hint}`, { param: 'model', facts })
}

/** The id nearest to the name, or to its middle: without another seller's prefix, without a suffix that nobody knows. */
function suggestModel(index: CatalogIndex, name: string): string | null {
  const middle = name.slice(name.lastIndexOf('/') + 1).split(':', 1)[0] ?? ''
  return suggest(name, index.byId.keys()) ?? suggest(middle, index.byId.keys())
}
