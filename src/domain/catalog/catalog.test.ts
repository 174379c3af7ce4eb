import { describe, expect, it } from 'vitest'
import { testModel } from '../../../test/support/model-builder.ts'
import { GatewayError } from '../../core/gateway-error.ts'
import { createCatalog } from './catalog.ts'
import type { NameReading } from './resolve-model.ts'

const large = testModel({ id: 'example/large-27b' })
const small = testModel({ id: 'example/small-flash' })
const catalog = createCatalog([large, small])

function errorOf(name: string): GatewayError {
  try {
    catalog.resolve(name)
  } catch (error) {
    if (error instanceof GatewayError) return error
  }
  throw new Error('no GatewayError was thrown')
}

describe('the catalogue', () => {
  it('finds a model by its exact id and lists all in the operator’s order', () => {
    expect(catalog.resolve('example/large-27b')).toBe(large)
    expect(catalog.list()).toEqual([large, small])
  })

  it('answers 404 to an unknown name, with the field and the id that was probably meant', () => {
    const error = errorOf('example/large-72b')
    expect([error.status, error.code, error.options.param]).toEqual([404, 'model_not_found', 'model'])
    expect(error.message).toBe('There is no model `example/large-72b`. Did you mean `example/large-27b`?')
  })

  it.each(['LARGE-27B', 'other-seller/large-27b', 'example/large-27b:fast'])('knows what %s may mean', name => {
    expect(errorOf(name).message).toContain('Did you mean `example/large-27b`?')
  })

  it('points to the list when nothing is near', () => {
    expect(errorOf('unrelated').message).toBe('There is no model `unrelated`. GET /v1/models lists what there is.')
    expect(errorOf('').message).toContain('GET /v1/models')
  })

  it('shows only the beginning of a name that is too long', () => {
    expect(errorOf('x'.repeat(1_000_000)).message.length).toBeLessThan(300)
  })

  it.each(['__proto__', 'constructor', 'toString'])('takes the name %s for a name', name => {
    expect(errorOf(name).code).toBe('model_not_found')
  })

  it('never names the engine’s own model', () => {
    expect(errorOf('engine-nam').message).not.toContain('engine-name')
  })

  it('refuses two models with one id, and keeps the old set then', () => {
    expect(() => createCatalog([large, large])).toThrow(RangeError)
    const changing = createCatalog([large])
    expect(() => changing.replace([small, small])).toThrow(RangeError)
    expect(changing.list()).toEqual([large])
  })

  it('replaces the whole set at once; a list that was taken before stays as it was', () => {
    const changing = createCatalog([large])
    const before = changing.list()
    changing.replace([small])
    expect(changing.list()).toEqual([small])
    expect(before).toEqual([large])
    expect(() => changing.resolve(large.id)).toThrow(GatewayError)
  })

  it('tries further ways to read a name in their order', () => {
    const always =
      (answer: typeof large): NameReading =>
      () =>
        answer
    const never: NameReading = () => undefined
    expect(catalog.resolve('default', [never, always(small), always(large)])).toBe(small)
  })
})
