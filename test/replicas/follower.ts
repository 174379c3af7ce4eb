import { performance } from 'node:perf_hooks'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { systemClock } from '../../src/adapters/system/system-clock.ts'
import { systemTimers } from '../../src/adapters/system/system-timers.ts'
import { type DocumentFollower, followDocuments } from '../../src/domain/replicas/follow-documents.ts'
import { openPostgres } from '../conformance/open-test-storage.ts'
import { atEnd } from '../support/at-end.ts'
import { MemoryLogger } from '../support/memory-logger.ts'
import { waitFor } from '../support/wait-for.ts'

/** What a gateway keeps of the documents, without the gateway: the same follower, over the same store. */
export class Follower {
  readonly logger = new MemoryLogger()
  /** Of each document, what was applied last and when. */
  readonly applied = new Map<string, { readonly text: string; readonly atMs: number }>()
  reads = 0
  readonly storage: Storage
  readonly #follower: DocumentFollower

  private constructor(storage: Storage) {
    this.storage = storage
    this.#follower = followDocuments({
      documents: {
        readSince: version => {
          this.reads += 1
          return storage.documents.readSince(version)
        },
      },
      watch: storage.watchDocuments,
      apply: ({ name, content }) => {
        const text = String(content)
        if (this.applied.get(name)?.text !== text) this.applied.set(name, { text, atMs: performance.now() })
      },
      clock: systemClock,
      timers: systemTimers,
      logger: this.logger,
    })
  }

  /** Follows the database until the test is over. */
  static async start(url: string): Promise<Follower> {
    const storage = await openPostgres(url)
    const follower = new Follower(storage)
    await follower.#follower.refresh()
    follower.#follower.start()
    atEnd(async () => {
      await follower.#follower.stop()
      await storage.close()
    })
    return follower
  }

  /** Resolves once its log says so. */
  async logged(event: string): Promise<void> {
    await waitFor(`${event} in the log`, () => this.logger.events().includes(event), { withinMs: 10_000 })
  }

  /** Milliseconds from a moment until it had applied a text; throws when it does not come. */
  async delayOf(name: string, text: string, sinceMs: number): Promise<number> {
    const found = await waitFor(
      `${name} to become ${text}`,
      () => {
        const known = this.applied.get(name)
        return known?.text === text && known
      },
      { withinMs: 8_000 },
    )
    return found.atMs - sinceMs
  }
}
