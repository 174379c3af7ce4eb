import { describe, expect, it } from 'vitest'
import { createMachineAddresses } from './machine-addresses.ts'

/** Moved by the tests. */
let atMs = 0
const clock = { monotonic: () => atMs }

describe('the addresses of the operator’s machines', () => {
  it('are looked up once for all who ask, and in one spelling', async () => {
    const asked: string[] = []
    const machines = createMachineAddresses(async host => {
      asked.push(host)
      return ['93.184.215.7', '2606:2800:0220:0000::7']
    }, clock)
    const hosts = new Set(['gpu.rialto-gateway.com', '93.184.215.8'])
    const all = await Promise.all([machines.of(hosts), machines.of(hosts)])
    all.push(await machines.of(hosts))
    for (const found of all) expect([...found]).toEqual(['93.184.215.7', '2606:2800:220::7'])
    expect(asked).toEqual(['gpu.rialto-gateway.com'])
  })

  it('are looked up again a minute later, and stay as they were when nobody answers then', async () => {
    const answers = [['93.184.215.7'], ['93.184.215.8']]
    const machines = createMachineAddresses(async () => {
      const next = answers.shift()
      if (next === undefined) throw new Error('ENOTFOUND')
      return next
    }, clock)
    const seen: string[] = []
    for (let minute = 0; minute < 3; minute++) {
      seen.push(...(await machines.of(new Set(['gpu.rialto-gateway.com']))))
      atMs += 60_000
    }
    expect(seen).toEqual(['93.184.215.7', '93.184.215.8', '93.184.215.8'])
  })

  it('are none where nobody knows the name, and nobody waits for a name server that is silent', async () => {
    const unknown = createMachineAddresses(() => Promise.reject(new Error('ENOTFOUND')), clock)
    expect([...(await unknown.of(new Set(['gone.rialto-gateway.com'])))]).toEqual([])
    const silent = createMachineAddresses(() => new Promise(() => undefined), clock)
    expect([...(await silent.of(new Set(['slow.rialto-gateway.com'])))]).toEqual([])
  })
})
