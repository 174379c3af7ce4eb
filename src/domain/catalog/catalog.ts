import type { Clock } from '../../core/clock.ts'
import type { ModelNaming } from '../../core/completion-policy.ts'
import type { Model } from '../../core/model.ts'
import { indexModels, resolveModel } from './resolve-model.ts'
import { isRetired, modelInPlace, modelRetired } from './retired-model.ts'
import { modelNotFound } from './suggest-model.ts'

/** What can be asked for. Each answer comes from one whole set of models, never from a half-replaced one. */
export interface Catalog {
  /** All models that can be asked for, in the operator's order; retired ones are none of them. */
  list(): readonly Model[]
  /**
   * The model that answers to a name; for a retired one its successor, where the operator said so.
   * @throws GatewayError model_not_found, with a suggestion where one is near, or with the successor
   */
  resolve(name: string, naming?: ModelNaming): Model
  hasModel(name: string, naming: ModelNaming): boolean
  /** Null where `resolve` throws. */
  find(name: string, naming: ModelNaming): Model | null
  /** Puts another set of models in place at once; requests that run keep the model they resolved. @throws RangeError */
  replace(models: readonly Model[]): void
}

const exact: ModelNaming = { kind: 'exact' }

/** @throws RangeError when two models have the same id. */
export function createCatalog(models: readonly Model[], clock: Pick<Clock, 'now'>): Catalog {
  let index = indexModels(models)
  const inPlaceOf = (model: Model) => modelInPlace(model, index.byId, clock.now())
  return {
    list: () =>
      index.models.some(isEnding) ? index.models.filter(model => !isRetired(model, clock.now())) : index.models,
    resolve(name, naming = exact) {
      const asked = resolveModel(index, name, naming)
      if (asked === null) throw modelNotFound(index, name)
      const model = inPlaceOf(asked)
      if (model === null) throw modelRetired(asked)
      return model
    },
    find(name, naming) {
      const asked = resolveModel(index, name, naming)
      return asked === null ? null : inPlaceOf(asked)
    },
    hasModel: (name, naming) => resolveModel(index, name, naming) !== null,
    replace(next) {
      index = indexModels(next)
    },
  }
}

function isEnding({ deprecation }: Model): boolean {
  return deprecation !== null
}
