import type { Documents } from '../adapters/documents/open-documents.ts'
import { createPageReader } from '../adapters/pages/page-reader.ts'
import type { Config } from '../config/config.ts'
import type { GuardedFetch } from '../core/guarded-fetch.ts'
import type { PageReader } from '../core/page-reader.ts'
import type { Ground } from './ground.ts'

export interface PageParts {
  readonly config: () => Config
  readonly documents: Documents
  readonly fetch: GuardedFetch
  readonly ground: Ground
}

const secondMs = 1_000

/** Pages that callers name, as the configuration in force has them reused. */
export function openPages({ config, documents, fetch, ground }: PageParts): PageReader {
  const { reader, pages } = documents
  return createPageReader({
    ...{ fetch, pages, documents: reader, clock: ground.clock },
    obeysRobots: () => config().scrape.robots === 'obey',
    reuse: () => ({ ms: config().cache.pageSeconds * secondMs, isShared: config().cache.shared }),
  })
}
