import { describe, expect, it } from 'vitest'
import { type EngineSettings, engineSettings } from '../../support/gateway/gateway-settings.ts'
import { useGateway } from '../../support/gateway/index.ts'
import { answer, type Behaviour } from '../../support/mock-engine/index.ts'
import type { Expectation } from './expectation.ts'
import { judgeCell } from './judge-cell.ts'

export interface Fault {
  /** What the mock engine does; left out for an address where none answers. */
  readonly behaviour?: Behaviour
  /** Instead of the mock engine's address. */
  readonly url?: () => string
  readonly stream: Expectation
  readonly whole: Expectation
  /** Of the faulty node, such as short timeouts. */
  readonly engine?: Partial<EngineSettings>
}

/** One square of the matrix: a node of its own, so that no breaker remembers another cell. */
export interface Cell {
  readonly model: string
  readonly node: string
  readonly stream: boolean
  readonly secondNode: boolean
  readonly expectation: Expectation
}

export const healthyText = 'healthy node'
export const healthyTokens = { prompt: 16, completion: 2 }

/** Each fault × {stream, not} × {one node, a second healthy node}. All cells of a fault run at the same time. */
export function describeFaults(kind: string, faults: Readonly<Record<string, Fault>>): void {
  const rows = Object.entries(faults).map(([name, fault], row) => ({ name, fault, cells: cellsOf(fault, row) }))
  describe(`${kind} is told as the contract says, charged as it says, and leaves nothing open`, () => {
    const gateway = useGateway({
      engines: { faulty: {}, healthy: {} },
      nodes: ({ engines, secrets }) =>
        rows.flatMap(({ fault, cells }) =>
          cells.map(({ node }) => {
            const url = fault.url?.() ?? engines.get('faulty')?.url ?? ''
            return engineSettings(node, url, { secrets, overrides: fault.engine ?? {} })
          }),
        ),
      models: Object.fromEntries(
        rows.flatMap(({ cells }) =>
          cells.map(({ model, node, secondNode }) => [model, { engines: secondNode ? [node, 'healthy'] : [node] }]),
        ),
      ),
    })

    it.each(rows)('$name', async ({ fault, cells }) => {
      gateway.engine('healthy').always(answer({ text: ['healthy', ' node'] }))
      gateway.engine('faulty').always(fault.behaviour ?? answer())
      const before = await gateway.client.credits()
      const charges = await Promise.all(cells.map(cell => judgeCell(gateway, cell)))
      const after = await gateway.client.credits()
      const total = charges.flat().reduce((sum, charge) => sum + charge, 0n)
      expect(before.balanceNano - after.balanceNano).toBe(total)
    })
  })
}

function cellsOf(fault: Fault, row: number): readonly Cell[] {
  return [
    [true, false],
    [false, false],
    [true, true],
    [false, true],
  ].map(([stream = false, secondNode = false]) => {
    const name = `f${row}${stream ? 's' : 'w'}${secondNode ? 2 : 1}`
    const expectation = stream ? fault.stream : fault.whole
    return { model: name, node: `node-${name}`, stream, secondNode, expectation }
  })
}
