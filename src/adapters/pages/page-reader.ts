import type { Clock } from '../../core/clock.ts'
import type { DocumentReader } from '../../core/document-reader.ts'
import {
  type FetchedResource,
  type FetchRefusal,
  FetchRefused,
  type FetchRequest,
  type GuardedFetch,
} from '../../core/guarded-fetch.ts'
import type { AccountId } from '../../core/ids.ts'
import type { PageConverter } from '../../core/page-converter.ts'
import type { PageReader, PageReading, ReadPage } from '../../core/page-reader.ts'
import { createSharedWork } from '../../lib/shared-work.ts'
import { createPageCache } from './page-cache.ts'
import { createRobotsGate } from './robots-gate.ts'
import { isUnreadHost } from './unread-hosts.ts'

const pageBytesMax = 2_097_152
const fetchMs = 8_000
const redirectsMax = 3
const accept = 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.1'
const htmlTypes: ReadonlySet<string | null> = new Set(['text/html', 'application/xhtml+xml', null])

export interface PageReaderDependencies {
  readonly fetch: GuardedFetch
  readonly pages: PageConverter
  readonly documents: DocumentReader
  readonly clock: Pick<Clock, 'monotonic'>
  /** Whether only those pages are read that their sites let programs read, as their robots.txt says. */
  readonly obeysRobots: () => boolean
  /** How long a page is reused, and whether accounts see what others read. */
  readonly reuse: () => { readonly ms: number; readonly isShared: boolean }
}

/**
 * Reads pages that callers name, through the guarded fetch, in children that are cut off. Whoever wants a page that is being
 * read waits for the same reading.
 */
export function createPageReader(dependencies: PageReaderDependencies): PageReader {
  const { clock, reuse } = dependencies
  const cache = createPageCache()
  const robots = createRobotsGate(dependencies)
  const running = createSharedWork<PageReading>()

  function readNow(address: string, accountId: AccountId, signal: AbortSignal): Promise<PageReading> {
    const mayVisit = (hop: URL, hopSignal: AbortSignal) => robots(hop, accountId, hopSignal)
    const asked = { address, accountId, ...(dependencies.obeysRobots() ? { mayVisit } : {}) }
    return readPage(dependencies, asked, signal)
  }

  return {
    async read(address, accountId, signal) {
      if (isUnreadHost(address)) return { kind: 'refused' }
      const { ms, isShared } = reuse()
      const owner = isShared ? null : accountId
      const known = cache.of(owner).get(address, clock.monotonic())
      if (known !== undefined) return { kind: 'page', page: known }
      return running.run(JSON.stringify([owner, address]), signal, async ownSignal => {
        const reading = await readNow(address, accountId, ownSignal)
        if (reading.kind === 'page' && ms > 0) cache.of(owner).set(address, reading.page, clock.monotonic() + ms)
        return reading
      })
    },
  }
}

interface Asked extends Pick<FetchRequest, 'address' | 'mayVisit'> {
  readonly accountId: AccountId
}

async function readPage(
  dependencies: PageReaderDependencies,
  { accountId, ...asked }: Asked,
  signal: AbortSignal,
): Promise<PageReading> {
  const request = { ...asked, owner: accountId, bytesMax: pageBytesMax, totalMs: fetchMs, redirectsMax, accept }
  try {
    const resource = await dependencies.fetch(request, signal)
    if (isUnreadHost(resource.address)) return { kind: 'refused' }
    const page = await convert(dependencies, { resource, accountId }, signal)
    return page === null || page.content.trim() === '' ? { kind: 'failed' } : { kind: 'page', page }
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error
    return { kind: kinds[error.reason] ?? 'failed' }
  }
}

/** Every other reason is a page that failed. */
const kinds: Readonly<Partial<Record<FetchRefusal, 'refused' | 'disallowed'>>> = {
  address: 'refused',
  not_welcome: 'disallowed',
}

interface Fetched {
  readonly resource: FetchedResource
  readonly accountId: AccountId
}

async function convert(
  { pages, documents }: PageReaderDependencies,
  { resource, accountId }: Fetched,
  signal: AbortSignal,
): Promise<ReadPage | null> {
  const { bytes, contentType, charset, address: url } = resource
  const { hostname, pathname } = new URL(url)
  if (htmlTypes.has(contentType)) {
    const page = await pages.convert({ bytes, charset, accountId }, signal)
    return page === null ? null : { title: page.title || hostname, url, content: page.text, date: page.date }
  }
  const name = pathname.split('/').at(-1) || null
  const reading = await documents.read({ bytes, name, mediaType: contentType, accountId }, signal)
  return reading.kind === 'text' ? { title: name ?? hostname, url, content: reading.text, date: null } : null
}
