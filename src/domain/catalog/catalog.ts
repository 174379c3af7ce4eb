import type { Model } from '../../core/model.ts'
import { exactReadings, indexModels, type NameReading, resolveModel } from './resolve-model.ts'
import { modelNotFound } from './suggest-model.ts'

/** What can be asked for. Each answer comes from one whole set of models, never from a half-replaced one. */
export interface Catalog {
  /** All models in the operator's order. */
  list(): readonly Model[]
  /** @throws GatewayError model_not_found, with a suggestion where one is near. */
  resolve(name: string, readings?: readonly NameReading[]): Model
  /** Puts another set of models in place at once; requests that run keep the model they resolved. @throws RangeError */
  replace(models: readonly Model[]): void
}

/** @throws RangeError when two models have the same id. */
export function createCatalog(models: readonly Model[]): Catalog {
  let index = indexModels(models)
  return {
    list: () => index.models,
    resolve(name, readings = exactReadings) {
      const model = resolveModel(index, name, readings)
      if (model === null) throw modelNotFound(index, name)
      return model
    },
    replace(next) {
      index = indexModels(next)
    },
  }
}
