import type { ModelNaming } from '../../core/completion-policy.ts'
import type { Model } from '../../core/model.ts'

/** The catalogue arranged for look-ups. Built once for each set of models. */
export interface CatalogIndex {
  readonly models: readonly Model[]
  readonly byId: ReadonlyMap<string, Model>
  readonly byTrait: ReadonlyMap<string, Model>
  readonly byAlias: ReadonlyMap<string, Model>
  /** By the id without case, with one dash for everything that people put between words. */
  readonly byFoldedId: ReadonlyMap<string, Model>
}

/** One way to understand a name that a caller wrote. */
type NameReading = (index: CatalogIndex, name: string) => Model | undefined

const exactReadings: readonly NameReading[] = [(index, name) => index.byId.get(name)]

/** The ways that are tried, in their order (venice.md §1.6). */
const lenientReadings: readonly NameReading[] = [
  ...exactReadings,
  (index, name) => index.byTrait.get(name),
  (index, name) => index.byAlias.get(name),
  (index, name) => index.byFoldedId.get(foldId(name)),
]

/** The model that a name means by the first reading that knows it; a leading prefix is only taken off for what is left. */
export function resolveModel(index: CatalogIndex, name: string, naming: ModelNaming): Model | null {
  if (naming.kind === 'exact') return firstReading(index, name, exactReadings)
  const model = firstReading(index, name, lenientReadings)
  if (model !== null || !name.toLowerCase().startsWith(naming.prefix)) return model
  return firstReading(index, name.slice(naming.prefix.length), lenientReadings)
}

function firstReading(index: CatalogIndex, name: string, readings: readonly NameReading[]): Model | null {
  for (const read of readings) {
    const model = read(index, name)
    if (model !== undefined) return model
  }
  return null
}

/** The first model in the operator's order wins a trait, an alias or a folded id. @throws RangeError when two models have the same id. */
export function indexModels(models: readonly Model[]): CatalogIndex {
  const byId = new Map<string, Model>()
  const byTrait = new Map<string, Model>()
  const byAlias = new Map<string, Model>()
  const byFoldedId = new Map<string, Model>()
  for (const model of models) {
    if (byId.has(model.id)) throw new RangeError(`two models have the id ${model.id}`)
    byId.set(model.id, model)
    setFirst(byFoldedId, foldId(model.id), model)
    for (const trait of model.traits) setFirst(byTrait, trait, model)
    for (const alias of model.compatibility) setFirst(byAlias, alias, model)
  }
  return { models: Object.freeze([...models]), byId, byTrait, byAlias, byFoldedId }
}

function setFirst(map: Map<string, Model>, name: string, model: Model): void {
  if (!map.has(name)) map.set(name, model)
}

function foldId(name: string): string {
  return name.toLowerCase().replace(/[._ ]/g, '-')
}
