import type { Clock } from '../../core/clock.ts'
import { type FetchedResource, type FetchRefusal, FetchRefused, type GuardedFetch } from '../../core/guarded-fetch.ts'
import type { AccountId } from '../../core/ids.ts'
import { createSharedCache } from '../../lib/shared-cache.ts'
import { createSharedWork } from '../../lib/shared-work.ts'
import { parseRobots, type RobotsRules } from './robots-rules.ts'

/** The gateway's product token: what it calls itself where it fetches pages. */
const agent = 'rialto'
/** What has to be read at least (RFC 9309, 2.5) is 500 KiB. */
const robotsBytesMax = 524_288
const robotsMs = 3_000
const redirectsMax = 5
const originsMax = 1_000
const rulesBytesMax = 16_777_216
/** One account has at most a quarter of what is remembered. */
const accountsMin = 4
/** What a site said holds for an hour, less than the day that it may (2.4); that it said nothing is asked again soon. */
const keptMs = { rules: 3_600_000, silence: 60_000 } as const

const allowAll: RobotsRules = () => true
const allowNothing: RobotsRules = () => false

interface Known {
  readonly rules: RobotsRules
  readonly bytes: number
}

interface RobotsDependencies {
  readonly fetch: GuardedFetch
  readonly clock: Pick<Clock, 'monotonic'>
}

/** Whether a site lets programs visit the page. Rejects with what the signal says, and where the site could not be asked. */
export type RobotsGate = (page: URL, accountId: AccountId, signal: AbortSignal) => Promise<boolean>

interface Asked {
  readonly origin: string
  /** The account that wants to know. */
  readonly owner: string
}

/** Asks each site for its robots.txt, once for all who want to know at a time, and remembers it for the account. */
export function createRobotsGate(dependencies: RobotsDependencies): RobotsGate {
  const { clock } = dependencies
  const running = createSharedWork<Known>()
  const cache = createSharedCache<Known>({
    entriesMax: originsMax,
    sizeMax: rulesBytesMax,
    ownersMin: accountsMin,
    sizeOf: (key, { bytes }) => key.length * 2 + bytes,
  })

  async function ask({ origin, owner }: Asked, signal: AbortSignal): Promise<Known> {
    const known = await readRobots(dependencies, { origin, owner }, signal)
    const ms = known.rules === allowNothing ? keptMs.silence : keptMs.rules
    cache.of(owner).set(origin, known, clock.monotonic() + ms)
    return known
  }

  return async ({ origin, pathname, search }, accountId, signal) => {
    const asked = { origin, owner: accountId }
    const known = cache.of(accountId).get(origin, clock.monotonic())
    const key = JSON.stringify([accountId, origin])
    const { rules } = known ?? (await running.run(key, signal, own => ask(asked, own)))
    return rules(`${pathname}${search}`)
  }
}

async function readRobots(
  { fetch: fetchGuarded }: RobotsDependencies,
  { origin, owner }: Asked,
  signal: AbortSignal,
): Promise<Known> {
  const address = `${origin}/robots.txt`
  const request = {
    address,
    owner,
    bytesMax: robotsBytesMax,
    totalMs: robotsMs,
    redirectsMax,
    accept: 'text/plain, */*;q=0.1',
  }
  try {
    return rulesOf(await fetchGuarded(request, signal))
  } catch (error) {
    if (!(error instanceof FetchRefused) || saysNothing.has(error.reason)) throw error
    return { rules: isUnavailable(error) ? allowAll : allowNothing, bytes: 0 }
  }
}

/** Too much is fetched here, or nobody is there: no page is read then either, but it is not the site that forbids it. */
const saysNothing: ReadonlySet<FetchRefusal> = new Set(['busy', 'unreachable', 'timeout'])

function rulesOf({ bytes }: FetchedResource): Known {
  return { rules: parseRobots(bytes.toString(), agent), bytes: bytes.length * 2 }
}

/** A site without the file, or that leads away too often, forbids nothing; one that cannot be asked forbids all (2.3.1). */
function isUnavailable({ reason, status }: FetchRefused): boolean {
  return reason === 'redirect' || (reason === 'status' && status !== null && status >= 400 && status < 500)
}
