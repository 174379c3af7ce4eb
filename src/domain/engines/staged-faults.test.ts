import { expect, it } from 'vitest'
import { fails, ok, reply, requestFor, ScriptedEngine, says, servedBy } from '../../../test/engines/scripted-engine.ts'
import { FakeTime } from '../../../test/support/fake-time.ts'
import { MemoryLogger } from '../../../test/support/memory-logger.ts'
import { createEngines } from './engines.ts'

class StagingEngine extends ScriptedEngine {
  readonly stagesFaults = true
}

function start(...engines: ScriptedEngine[]) {
  const { clock, timers } = new FakeTime()
  const logger = new MemoryLogger()
  const random = { bytes: (count: number) => Buffer.alloc(count), hex: (count: number) => '00'.repeat(count) }
  return { all: createEngines({ engines, clock, timers, random, logger }), logger }
}

const failures = [fails('reset'), fails('first_byte_timeout'), says(500), says(401), async () => reply(429, '', 30_000)]

async function failOften(engine: ScriptedEngine, all: ReturnType<typeof createEngines>): Promise<void> {
  for (const failure of [...failures, ...failures]) {
    engine.play(failure)
    await expect(all.run(requestFor(servedBy(engine.id)))).rejects.toThrow()
  }
}

it('faults that callers ask for fail the calls and leave the node in service', async () => {
  const [staging, other] = [new StagingEngine('staging'), new ScriptedEngine('other')]
  const { all, logger } = start(staging, other)
  await failOften(staging, all)
  expect(all.views().find(({ id }) => id === 'staging')).toMatchObject({
    state: 'healthy',
    lastError: null,
    inFlight: 0,
  })
  expect(logger.lines.map(line => line.event)).not.toContain('engine.misconfigured')
  staging.play(ok())
  const run = await all.run(requestFor(servedBy('staging', 'other')))
  expect(run.node.id).toBe('staging')
})

it('the same faults of another engine leave it out', async () => {
  const [plain, other] = [new ScriptedEngine('plain'), new ScriptedEngine('other')]
  const { all } = start(plain, other)
  await failOften(plain, all)
  expect(all.views().find(({ id }) => id === 'plain')?.state).toBe('ejected')
})
