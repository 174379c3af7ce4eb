import { GatewayError } from '../../core/gateway-error.ts'
import type { Model } from '../../core/model.ts'

/** A successor may have one of its own; a longer chain, or a circle, ends here. */
const successionsMax = 8

/** A model is retired from the first moment of its last date on, in UTC. */
export function isRetired({ deprecation }: Model, nowMs: number): boolean {
  return deprecation !== null && nowMs >= Date.parse(`${deprecation.date}T00:00:00.000Z`)
}

/**
 * The model that answers for one that was asked for: itself, or once it is retired its successor, where the operator said
 * so (venice.md §1.6). Null when nobody does.
 */
export function modelInPlace(asked: Model, byId: ReadonlyMap<string, Model>, nowMs: number): Model | null {
  let model: Model | undefined = asked
  for (let step = 0; step <= successionsMax && model !== undefined; step++) {
    if (!isRetired(model, nowMs)) return model
    const { deprecation }: Model = model
    model = deprecation?.autoRemap === true ? byId.get(deprecation.successor ?? '') : undefined
  }
  return null
}

/** 404 for a model that was, with the one that is. */
export function modelRetired({ id, deprecation }: Model): GatewayError {
  const successor = deprecation?.successor ?? null
  const mend = successor === null ? 'Please choose another model.' : `Please use \`${successor}\`.`
  const facts = { model: id, successor }
  return new GatewayError('model_not_found', `The model \`${id}\` has been deprecated. ${mend}`, {
    param: 'model',
    facts,
  })
}
