import { describe, expect, it } from 'vitest'
import { createNodeHealth, type NodeHealth } from './node-health.ts'

const fault = { reason: 'reset', mayEject: true }

function ejectedNode(nowMs: number): NodeHealth {
  const health = createNodeHealth()
  for (let count = 0; count < 5; count += 1) health.failed(nowMs, fault)
  return health
}

describe('the breaker of a node', () => {
  it('ejects after five faults in a row, not after four', () => {
    const health = createNodeHealth()
    const verdicts = Array.from({ length: 5 }, () => health.failed(1_000, fault))
    expect(verdicts).toEqual([false, false, false, false, true])
    expect(health.standing(1_000)).toBe('ejected')
    expect(health.ejectedForMs(1_000)).toBe(30_000)
  })

  it('counts faults in a row: an answer to the end begins anew, its beginning does not', () => {
    const health = createNodeHealth()
    for (let count = 0; count < 4; count += 1) health.failed(0, fault)
    health.passed(0)
    expect(health.faultsInARow).toBe(4)
    health.succeeded(0)
    expect(health.failed(0, fault)).toBe(false)
  })

  it('does not eject when it may not, and then keeps count', () => {
    const health = createNodeHealth()
    for (let count = 0; count < 9; count += 1)
      expect(health.failed(0, { reason: 'reset', mayEject: false })).toBe(false)
    expect([health.standing(0), health.faultsInARow]).toEqual(['healthy', 9])
  })

  it('lets exactly one call try the node when the ejection is over', () => {
    const health = ejectedNode(0)
    expect(health.standing(29_999)).toBe('ejected')
    expect(health.standing(30_000)).toBe('trial')
    health.begin(30_000)
    expect([health.standing(30_000), health.isOnTrial]).toEqual(['ejected', true])
  })

  it('takes the node back when the trial passes', () => {
    const health = ejectedNode(0)
    health.begin(30_000)
    expect(health.succeeded(30_000)).toBe(true)
    expect([health.standing(30_000), health.isEjected, health.faultsInARow]).toEqual(['healthy', false, 0])
  })

  it('ejects for 30 s longer each time, at most for 300 s', () => {
    const health = ejectedNode(0)
    let nowMs = 0
    const lengths = Array.from({ length: 12 }, () => {
      const ms = health.ejectedForMs(nowMs)
      nowMs += ms
      health.begin(nowMs)
      health.failed(nowMs, fault)
      return ms / 1_000
    })
    expect(lengths).toEqual([30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 300, 300])
  })

  it('remembers a node that flaps, and forgives one that was well for five minutes', () => {
    const health = ejectedNode(0)
    health.begin(30_000)
    health.succeeded(30_000)
    for (let count = 0; count < 5; count += 1) health.failed(100_000, fault)
    expect(health.ejectedForMs(100_000)).toBe(60_000)
    health.begin(160_000)
    health.succeeded(160_000)
    for (let count = 0; count < 5; count += 1) health.failed(460_000, fault)
    expect(health.ejectedForMs(460_000)).toBe(30_000)
  })

  it('opens the trial again when its call said nothing about the node', () => {
    const health = ejectedNode(0)
    health.begin(30_000)
    health.abandoned()
    expect(health.standing(30_000)).toBe('trial')
  })

  it('does not keep a node out for longer because it was asked as the last resort', () => {
    const health = ejectedNode(0)
    health.begin(10_000)
    expect(health.failed(10_000, fault)).toBe(false)
    expect([health.ejectedForMs(10_000), health.isOnTrial]).toEqual([20_000, false])
    expect(health.passed(11_000)).toBe(true)
  })

  it('spares an overloaded node as long as it asks, at most a minute, without ejecting it', () => {
    const health = createNodeHealth()
    for (let count = 0; count < 9; count += 1) health.overloaded(0, 7_000)
    expect([health.standing(6_999), health.standing(7_000)]).toEqual(['overloaded', 'healthy'])
    health.overloaded(0, 1e12)
    expect([health.standing(59_999), health.standing(60_000)]).toEqual(['overloaded', 'healthy'])
    health.overloaded(0, null)
    expect([health.standing(999), health.standing(1_000)]).toEqual(['overloaded', 'healthy'])
    expect([health.faultsInARow, health.lastError]).toEqual([0, 'http_429'])
  })

  it('names its last error', () => {
    const health = createNodeHealth()
    expect(health.lastError).toBeNull()
    health.failed(0, { reason: 'http_503', mayEject: true })
    expect(health.lastError).toBe('http_503')
  })
})
