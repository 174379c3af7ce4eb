import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NodeLoad, orderNodes } from './node-order.ts'

interface Named extends NodeLoad {
  readonly name: string
}

function node(name: string, load: Partial<NodeLoad> = {}): Named {
  return { name, standing: 'healthy', weight: 1, busy: 0, hasRoom: true, ejectedForMs: 0, faultsInARow: 0, ...load }
}

const anyLoad: fc.Arbitrary<NodeLoad> = fc.record({
  standing: fc.constantFrom('healthy', 'overloaded', 'trial', 'ejected'),
  weight: fc.integer({ min: 0, max: 1_000 }),
  busy: fc.integer({ min: 0, max: 1_000 }),
  hasRoom: fc.boolean(),
  ejectedForMs: fc.integer({ min: 0, max: 300_000 }),
  faultsInARow: fc.integer({ min: 0, max: 100 }),
})

const anyChance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

/** How often each node comes first over a thousand evenly spread draws. */
function firsts(nodes: readonly Named[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (let draw = 0; draw < 1_000; draw += 1) {
    const name = orderNodes(nodes, draw / 1_000)[0]?.name ?? 'none'
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

describe('the order of nodes', () => {
  it('has every node that has a share exactly once', () => {
    fc.assert(
      fc.property(fc.array(anyLoad, { maxLength: 6 }), anyChance, (loads, chance) => {
        const nodes = loads.map((load, index) => ({ ...load, index }))
        const ordered = orderNodes(nodes, chance).map(({ index }) => index)
        const expected = nodes.filter(({ weight }) => weight > 0).map(({ index }) => index)
        expect(ordered.sort()).toEqual(expected.sort())
      }),
    )
  })

  it('never puts a worse rank before a better one', () => {
    const rank = ({ standing, hasRoom }: NodeLoad) =>
      standing === 'ejected' ? 3 : standing === 'overloaded' ? 2 : hasRoom ? 0 : 1
    fc.assert(
      fc.property(fc.array(anyLoad, { maxLength: 6 }), anyChance, (loads, chance) => {
        const ranks = orderNodes(loads, chance).map(rank)
        expect(ranks).toEqual([...ranks].sort())
      }),
    )
  })

  it("follows the operator's shares while it is quiet", () => {
    const counts = firsts([node('a', { weight: 3 }), node('b', { weight: 1 })])
    expect([counts['a'], counts['b']]).toEqual([750, 250])
  })

  it('draws the second place fairly as well', () => {
    const seconds: Record<string, number> = {}
    for (let draw = 0; draw < 900; draw += 1) {
      const name = orderNodes([node('a'), node('b'), node('c')], draw / 900)[1]?.name ?? 'none'
      seconds[name] = (seconds[name] ?? 0) + 1
    }
    for (const name of ['a', 'b', 'c']) expect(seconds[name]).toBeCloseTo(300, -1)
  })

  it('prefers the idle node, and among equally busy ones the larger share', () => {
    expect(firsts([node('busy', { busy: 9 }), node('idle')])['idle']).toBeGreaterThan(980)
    expect(firsts([node('a', { busy: 9, weight: 4 }), node('b', { busy: 9 })])['a']).toBe(800)
  })

  it('does not fall for the node that is idle because it fails at once', () => {
    const counts = firsts([node('dead', { faultsInARow: 4 }), node('well', { busy: 1 })])
    expect(counts['well']).toBeGreaterThan(counts['dead'] ?? 0)
  })

  it('asks ejected nodes last, the least bad first', () => {
    const out = (name: string, ejectedForMs: number) => node(name, { standing: 'ejected', ejectedForMs })
    const names = orderNodes([out('worst', 60_000), out('bad', 5_000), node('full', { hasRoom: false })], 0.5)
    expect(names.map(({ name }) => name)).toEqual(['full', 'bad', 'worst'])
  })

  it('never asks a node without a share', () => {
    expect(orderNodes([node('none', { weight: 0 })], 0.5)).toEqual([])
  })
})
