import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currentWindow, failuresLeft, spentKind, spentKindBefore } from './failure-window.ts'

const now = 1_000_000
const windowMs = 30_000

describe('a window of failures', () => {
  it('lasts until it ends, and counts no more when it ends later than any can', () => {
    const stored = (endsAtMs: number) => ({ failed: 3, unsupported: 1, endsAtMs })
    const anew = { failed: 0, unsupported: 0, endsAtMs: now + windowMs }
    expect(currentWindow(null, windowMs, now)).toEqual(anew)
    expect(currentWindow(stored(now), windowMs, now)).toEqual(anew)
    expect(currentWindow(stored(now + 1), windowMs, now)).toEqual(stored(now + 1))
    expect(currentWindow(stored(now + 2 * windowMs), windowMs, now)).toEqual(stored(now + 2 * windowMs))
    expect(currentWindow(stored(now + 2 * windowMs + 1), windowMs, now)).toEqual(anew)
  })

  it('lets exactly as many failures be answered as are allowed, in whatever order the kinds come', () => {
    const bound = fc.oneof(fc.nat({ max: 5 }), fc.constant('unlimited' as const))
    const kind = fc.constantFrom('failed' as const, 'unsupported' as const)
    fc.assert(
      fc.property(
        fc.record({ failed: bound, unsupported: bound }),
        fc.array(kind, { maxLength: 20 }),
        (bounds, kinds) => {
          const window = { failed: 0, unsupported: 0, endsAtMs: now }
          const answered = { failed: 0, unsupported: 0 }
          for (const counted of kinds) {
            const wasSpent = spentKind(window, bounds)
            window[counted] += 1
            expect(spentKindBefore(window, bounds, counted)).toBe(wasSpent)
            expect(failuresLeft(window, bounds)).toBeGreaterThanOrEqual(0)
            if (wasSpent === null) answered[counted] += 1
          }
          for (const name of ['failed', 'unsupported'] as const)
            if (bounds[name] !== 'unlimited') expect(answered[name]).toBeLessThanOrEqual(bounds[name])
          if (failuresLeft(window, bounds) === 0) expect(spentKind(window, bounds)).not.toBeNull()
        },
      ),
    )
  })
})
