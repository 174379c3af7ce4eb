import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NodeLoad, orderNodes } from './node-order.ts'
import { affinityScore, splitByLoad } from './rendezvous.ts'

interface Named extends NodeLoad {
  readonly name: string
}

function node(name: string, load: Partial<NodeLoad> = {}): Named {
  return { name, standing: 'healthy', weight: 1, busy: 0, hasRoom: true, ejectedForMs: 0, faultsInARow: 0, ...load }
}

function firstFor(key: string, nodes: readonly Named[], chance = 0.5): string | undefined {
  return orderNodes(nodes, chance, ({ name, weight }) => affinityScore(key, name, weight))[0]?.name
}

const someNodes = fc
  .uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 2, maxLength: 6 })
  .chain(names => fc.tuple(...names.map(name => fc.integer({ min: 1, max: 9 }).map(weight => node(name, { weight })))))
  .map((nodes): readonly Named[] => nodes)
const keys = Array.from({ length: 2_000 }, (_, index) => `key-${index}`)

describe('requests with one affinity', () => {
  it('meet the same node whatever the draw and the order of the nodes', () => {
    fc.assert(
      fc.property(
        fc.string(),
        someNodes,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (key, nodes, chance) => {
          expect(firstFor(key, nodes.toReversed(), chance)).toBe(firstFor(key, nodes))
        },
      ),
    )
  })

  it('stay where they are when another node leaves or joins: only its own keys move', () => {
    fc.assert(
      fc.property(fc.string(), someNodes, (key, nodes) => {
        const [gone, ...rest] = nodes
        const before = firstFor(key, nodes)
        if (before !== gone?.name) expect(firstFor(key, rest)).toBe(before)
      }),
    )
  })

  it("are shared out by the operator's weights", () => {
    const nodes = [node('a', { weight: 3 }), node('b', { weight: 1 })]
    const share = keys.filter(key => firstFor(key, nodes) === 'a').length / keys.length
    expect(share).toBeGreaterThan(0.71)
    expect(share).toBeLessThan(0.79)
  })

  it('pass a node over that has more to do than a quarter above the mean and one call', () => {
    const [home = ''] = ['a', 'b'].filter(name => firstFor('key', [node('a'), node('b')]) === name)
    const other = home === 'a' ? 'b' : 'a'
    expect(firstFor('key', [node(home, { busy: 3 }), node(other, { busy: 1 })])).toBe(home)
    expect(firstFor('key', [node(home, { busy: 6 }), node(other, { busy: 1 })])).toBe(other)
  })

  it.each([{ standing: 'ejected' }, { standing: 'overloaded' }, { hasRoom: false }, { weight: 0 }] as const)(
    'go elsewhere while their node is %j',
    trouble => {
      for (const key of keys.slice(0, 20)) expect(firstFor(key, [node('a', trouble), node('b')])).toBe('b')
    },
  )

  it('find every node in the order, once', () => {
    fc.assert(
      fc.property(fc.string(), someNodes, fc.array(fc.nat(50)), (key, nodes, loads) => {
        const busy = nodes.map((one, index) => ({ ...one, busy: loads[index] ?? 0 }))
        const order = orderNodes(busy, 0.3, ({ name, weight }) => affinityScore(key, name, weight))
        expect(order.map(({ name }) => name).sort()).toEqual(nodes.map(({ name }) => name).sort())
      }),
    )
  })
})

it('at least one node is never too busy', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ busy: fc.nat(1_000) }), { minLength: 1 }), nodes => {
      expect(splitByLoad(nodes)[0].length).toBeGreaterThan(0)
    }),
  )
})
