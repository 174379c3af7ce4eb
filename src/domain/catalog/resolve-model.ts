import type { Model } from '../../core/model.ts'

/** The catalogue arranged for look-ups. Built once for each set of models. */
export interface CatalogIndex {
  readonly models: readonly Model[]
  readonly byId: ReadonlyMap<string, Model>
}

/** One way to understand a name that a caller wrote. */
export type NameReading = (index: CatalogIndex, name: string) => Model | undefined

const asId: NameReading = (index, name) => index.byId.get(name)

/** The ways that are tried, in their order. A surface that reads names more leniently adds its ways behind this one. */
export const exactReadings: readonly NameReading[] = [asId]

/** The model that a name means by the first reading that knows it. */
export function resolveModel(index: CatalogIndex, name: string, readings: readonly NameReading[]): Model | null {
  for (const read of readings) {
    const model = read(index, name)
    if (model !== undefined) return model
  }
  return null
}

/** @throws RangeError when two models have the same id. */
export function indexModels(models: readonly Model[]): CatalogIndex {
  const byId = new Map<string, Model>()
  for (const model of models) {
    if (byId.has(model.id)) throw new RangeError(`two models have the id ${model.id}`)
    byId.set(model.id, model)
  }
  return { models: Object.freeze([...models]), byId }
}
