import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'libsql'
import { afterAll, describe, expect, it } from 'vitest'
import { chunksOf, expectError, type Gateway, nanoOf, priceOf, useGateway } from '../support/gateway/index.ts'
import { isMissing, missing } from '../support/missing.ts'
import { answer } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'

/** A store that cannot answer stops admission, and nothing is ever assumed to have worked (money.md §2). */

const chunkCount = 60
const cost = priceOf({ prompt: 16, completion: chunkCount })

/** A stream of three seconds that is well under way. */
async function beginStream(gateway: Gateway) {
  gateway.engine().next(answer({ chunks: chunkCount, everyMs: 50 }))
  const reading = await gateway.client.openStream()
  await reading.receive(10)
  return reading
}

async function expectRefusal(gateway: Gateway): Promise<void> {
  const before = gateway.engine().requests.length
  const refused = await waitFor(
    'a refusal',
    async () => {
      const answered = await gateway.client.chat()
      return answered.status !== 200 && answered
    },
    { withinMs: 20_000 },
  )
  expectError(refused, { status: 503, code: 'ledger_unavailable' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  const asked = gateway.engine().requests.length - before
  const again = await gateway.client.chat()
  expectError(again, { status: 503, code: 'ledger_unavailable' })
  expect(gateway.engine().requests.length - before).toBe(asked)
}

async function expectRecovery(gateway: Gateway, streamId: string): Promise<void> {
  await waitFor('admission to be open again', async () => (await gateway.client.chat()).status === 200, {
    withinMs: 15_000,
    everyMs: 100,
  })
  const generation = await waitFor('the settlement', () => gateway.client.generation(streamId), { withinMs: 10_000 })
  expect(generation.outcome).toBe('done')
  expect(nanoOf(generation.total_cost)).toBe(cost)
  expect((await gateway.client.send('/health/ready', { key: null })).status).toBe(200)
}

describe('a database that another process has locked', () => {
  const gateway = useGateway()

  function lock(): { release(): void } {
    const database = new Database(join(gateway.installation.folder, 'data', 'rialto.db'), { timeout: 5_000 })
    database.exec('begin immediate')
    return {
      release() {
        database.exec('rollback')
        database.close()
      },
    }
  }

  it('for a moment makes requests wait, and none fails', { timeout: 60_000 }, async () => {
    const locked = lock()
    const asking = Promise.all(Array.from({ length: 20 }, () => gateway.client.chat()))
    await sleep(600)
    locked.release()
    for (const { status } of await asking) expect(status).toBe(200)
  })

  it('for longer stops admission; running streams go on and are settled afterwards', { timeout: 60_000 }, async () => {
    const reading = await beginStream(gateway)
    const locked = lock()
    try {
      await expectRefusal(gateway)
      expect((await gateway.client.send('/health/ready', { key: null })).status).toBe(503)
      expect((await gateway.client.send('/health/live', { key: null })).status).toBe(200)
      expect((await gateway.client.send('/v1/models', { key: null })).status).toBe(200)
      expect(await reading.ended).toBe('complete')
      // The cost is not shown before it is durable.
      expect(chunksOf(reading).at(-1)?.usage).toMatchObject({ completion_tokens: chunkCount })
      expect(chunksOf(reading).at(-1)?.usage).not.toHaveProperty('cost')
    } finally {
      locked.release()
    }
    await expectRecovery(gateway, String(reading.headers['x-generation-id']))
  })
})

describe('a table that somebody took away', () => {
  const gateway = useGateway()

  function run(statement: string): void {
    const database = new Database(join(gateway.installation.folder, 'data', 'rialto.db'), { timeout: 5_000 })
    try {
      database.exec(statement)
    } finally {
      database.close()
    }
  }

  it('stops admission; what runs is settled when it is back', { timeout: 60_000 }, async () => {
    const reading = await beginStream(gateway)
    run('pragma legacy_alter_table = on; alter table transfers rename to transfers_aside')
    try {
      await expectRefusal(gateway)
      expect(await reading.ended).toBe('complete')
    } finally {
      run('pragma legacy_alter_table = on; alter table transfers_aside rename to transfers')
    }
    await expectRecovery(gateway, String(reading.headers['x-generation-id']))
  })
})

/** A file system of its own, small enough to be filled. Only root may mount one. */
function mountSmallDisk(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'rialto-test', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const canMount = process.getuid?.() === 0
const noDisk = 'only root may mount a small file system, and not everywhere'

describe.skipIf(isMissing(canMount, noDisk))('a full disk', () => {
  let mounted: string | undefined
  const gateway = useGateway({
    beforeServe({ folder }) {
      const data = join(folder, 'data')
      mkdirSync(data, { recursive: true })
      if (mountSmallDisk(data)) mounted = data
    },
  })

  // Registered after the gateway's own end, so that it runs before it: lazily, the mount outlives its open files.
  afterAll(() => {
    if (mounted !== undefined) execFileSync('umount', ['--lazy', mounted])
  })

  it('stops admission; what runs goes on; with room again all of it is settled', { timeout: 60_000 }, async context => {
    if (mounted === undefined) return context.skip(missing(noDisk))
    expect((await gateway.client.chat()).status).toBe(200)
    const reading = await beginStream(gateway)
    const filler = join(mounted, 'filler')
    fill(filler)
    try {
      await expectRefusal(gateway)
      expect((await gateway.client.send('/health/ready', { key: null })).status).toBe(503)
      expect(await reading.ended).toBe('complete')
    } finally {
      rmSync(filler)
    }
    await expectRecovery(gateway, String(reading.headers['x-generation-id']))
  })
})

/** Takes every byte that is left. */
function fill(file: string): void {
  const piece = Buffer.alloc(4_096, 1)
  for (let count = 0; count < 4_096; count += 1) {
    try {
      writeFileSync(file, piece, { flag: 'a' })
    } catch {
      return
    }
  }
  throw new Error('the disk does not fill')
}
