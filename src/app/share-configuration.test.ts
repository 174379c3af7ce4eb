import { expect, it } from 'vitest'
import { FakeTime, settle } from '../../test/support/fake-time.ts'
import { MemoryLogger } from '../../test/support/memory-logger.ts'
import type { Config } from '../config/config.ts'
import { createConfig } from '../config/create-config.ts'
import { settingsSchema } from '../config/schema.ts'
import { StoreUnavailable } from '../core/store-error.ts'
import { followDocuments } from '../domain/replicas/follow-documents.ts'
import type { SharedDocument } from '../domain/replicas/types.ts'
import type { LoadedConfig } from './own-config.ts'
import { shareConfiguration } from './share-configuration.ts'

/** One document for all, as the store holds it. */
function createDocuments() {
  let stored: SharedDocument | null = null
  return {
    async readSince(since: number) {
      const documents = stored !== null && stored.version > since ? [stored] : []
      return { version: stored?.version ?? 0, documents }
    },
    async write(name: string, content: Buffer) {
      stored = { name, version: (stored?.version ?? 0) + 1, content }
      return stored.version
    },
  }
}

function load({ text }: { readonly text: string }): Config {
  const settings = settingsSchema.parse({
    pricing: { default: { inputUsdPerMTok: Number(text.split(':').at(-1)), outputUsdPerMTok: 1 } },
  })
  return createConfig(settings, { folder: '/', dataFolder: '/', adminToken: null, createdSeconds: 0 })
}

function loaded(price: number): LoadedConfig {
  const file = { path: '/rialto.yaml', text: `price: ${price}`, changedSeconds: price }
  return { config: load(file), file }
}

/** One process, which looks at the store only when it is asked to. */
function join(documents: ReturnType<typeof createDocuments>, own = loaded(1)) {
  const time = new FakeTime()
  const logger = new MemoryLogger()
  const faults: Error[] = []
  const inForce: string[] = []
  const { timers, clock } = time
  const shared = shareConfiguration({
    ...{ documents, own, load, logger, timers },
    refresh: () => follower.refresh(),
    async reload() {
      const fault = faults.shift()
      if (fault !== undefined) throw fault
      inForce.push('taken over')
    },
  })
  const follower = followDocuments({
    documents,
    clock,
    timers,
    logger,
    watch: () => () => undefined,
    apply: shared.apply,
  })
  return { shared, time, faults, inForce, logger }
}

it('is in force in each of several processes that read the same change at the same time, whoever publishes it', async () => {
  const documents = createDocuments()
  const processes = Array.from({ length: 4 }, () => join(documents))
  await Promise.all(
    processes.map(async ({ shared, inForce }) => {
      await shared.change(loaded(2))
      expect(inForce).toHaveLength(1)
    }),
  )
  const published = processes.flatMap(({ logger }) => logger.events().filter(event => event === 'config.published'))
  expect(published.length).toBeGreaterThan(0)
})

it('is taken for changed only when it is in force: what the store refuses is tried again, what else fails is told', async () => {
  const { shared, time, faults, inForce } = join(createDocuments())
  faults.push(new StoreUnavailable('busy'))
  const changing = shared.change(loaded(2))
  await settle()
  expect(inForce).toEqual([])
  await time.advance(1_000)
  await changing
  expect(inForce).toHaveLength(1)
  faults.push(new Error('the folder of characters cannot be read'))
  const failing = expect(shared.change(loaded(3))).rejects.toThrow('the folder of characters')
  await time.advance(100)
  await failing
})
