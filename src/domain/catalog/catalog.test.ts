import { describe, expect, it } from 'vitest'
import { testModel } from '../../../test/support/model-builder.ts'
import { GatewayError } from '../../core/gateway-error.ts'
import { createCatalog } from './catalog.ts'

const large = testModel({ id: 'example/large-27b' })
const small = testModel({ id: 'example/small-flash' })
const clock = { now: () => Date.UTC(2026, 10, 29) }
const catalog = createCatalog([large, small], clock)

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
    expect(errorOf('unrelated').message).toBe(
      'There is no model `unrelated`. The list of models (`GET …/models`) says what there is.',
    )
    expect(errorOf('').message).toContain('GET …/models')
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
    expect(() => createCatalog([large, large], clock)).toThrow(RangeError)
    const changing = createCatalog([large], clock)
    expect(() => changing.replace([small, small])).toThrow(RangeError)
    expect(changing.list()).toEqual([large])
  })

  it('replaces the whole set at once; a list that was taken before stays as it was', () => {
    const changing = createCatalog([large], clock)
    const before = changing.list()
    changing.replace([small])
    expect(changing.list()).toEqual([small])
    expect(before).toEqual([large])
    expect(() => changing.resolve(large.id)).toThrow(GatewayError)
  })

  it.each([
    ['example/large-27b', large],
    ['Example/Small Flash', small],
    ['example/small_flash', small],
    ['brand-example/large-27b', large],
    ['brand-quick', small],
    ['quick', small],
    ['gpt-mini', large],
  ])('reads %s leniently where the surface does', (name, model) => {
    const lenient = { kind: 'lenient', prefix: 'brand-' } as const
    const named = createCatalog(
      [
        { ...large, compatibility: ['gpt-mini'] },
        { ...small, traits: ['quick'] },
      ],
      clock,
    )
    expect(named.resolve(name, lenient).id).toBe(model.id)
    expect(named.hasModel(name, lenient)).toBe(true)
  })

  it('reads names exactly otherwise', () => {
    expect(catalog.hasModel('Example/Small Flash', { kind: 'exact' })).toBe(false)
  })
})

describe('a model that ends', () => {
  const ending = (date: string, change: { successor?: string; autoRemap?: boolean } = {}) => ({
    deprecation: { date, successor: null, autoRemap: false, ...change },
  })
  const nowMs = Date.parse('2027-01-31T00:00:00.000Z')
  const at = (ms: number, models: Parameters<typeof createCatalog>[0]) => createCatalog(models, { now: () => ms })
  const naming = { kind: 'lenient', prefix: 'x-' } as const
  const refusal = (run: () => unknown): GatewayError => {
    try {
      run()
    } catch (error) {
      if (error instanceof GatewayError) return error
    }
    throw new Error('no GatewayError was thrown')
  }

  it('answers until the day begins on which it ends', () => {
    const old = testModel({ id: 'old', ...ending('2027-01-31') })
    expect(at(nowMs - 1, [old]).resolve('old')).toBe(old)
    expect(at(nowMs - 1, [old]).list()).toEqual([old])
    expect(at(nowMs, [old]).list()).toEqual([])
    expect(at(nowMs, [old]).find('old', naming)).toBeNull()
    const error = refusal(() => at(nowMs, [old]).resolve('old'))
    expect([error.status, error.message]).toEqual([
      404,
      'The model `old` has been deprecated. Please choose another model.',
    ])
  })

  it('is answered for by its successor where the operator said so, and else names it', () => {
    const next = testModel({ id: 'next' })
    const old = testModel({
      id: 'old',
      traits: ['default'],
      ...ending('2027-01-31', { successor: 'next', autoRemap: true }),
    })
    expect(at(nowMs, [old, next]).resolve('old')).toBe(next)
    expect(at(nowMs, [old, next]).resolve('default', naming)).toBe(next)
    expect(at(nowMs, [old, next]).find('x-old', naming)).toBe(next)
    const named = testModel({ id: 'old', ...ending('2027-01-31', { successor: 'next' }) })
    expect(refusal(() => at(nowMs, [named, next]).resolve('old')).message).toBe(
      'The model `old` has been deprecated. Please use `next`.',
    )
  })

  it('is followed through several, and no further than a circle', () => {
    const chain = ['a', 'b', 'c'].map((id, index) =>
      testModel({ id, ...ending('2027-01-31', { successor: ['b', 'c', 'd'][index] ?? '', autoRemap: true }) }),
    )
    const last = testModel({ id: 'd' })
    expect(at(nowMs, [...chain, last]).resolve('a')).toBe(last)
    const [a, b] = ['a', 'b'].map(id =>
      testModel({ id, ...ending('2027-01-31', { successor: id === 'a' ? 'b' : 'a', autoRemap: true }) }),
    )
    if (a === undefined || b === undefined) throw new Error('no models')
    expect(refusal(() => at(nowMs, [a, b]).resolve('a')).status).toBe(404)
  })
})
