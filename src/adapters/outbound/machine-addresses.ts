import { isIP } from 'node:net'
import type { Clock } from '../../core/clock.ts'
import { createSingleFlight } from '../../lib/single-flight.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import { canonicalAddress } from './public-address.ts'
import type { ResolveOwn } from './resolve-host.ts'

/** Addresses of names, looked up again when they are older than a minute. */
export interface MachineAddresses {
  /** Canonical. A name that cannot be looked up leads where it led before, and else nowhere: nobody else can dial it then. */
  of(hosts: ReadonlySet<string>): Promise<ReadonlySet<string>>
}

/** As many engines as a configuration may have, and the gateway's own names. */
const hostsMax = 1_200
const freshMs = 60_000
/** A name server that is slow holds up the fetches of a minute's beginning, and no more. */
const answerMs = 2_000

export function createMachineAddresses(resolve: ResolveOwn, clock: Pick<Clock, 'monotonic'>): MachineAddresses {
  const fresh = createTtlCache<string, readonly string[]>({ entriesMax: hostsMax, ttlMs: freshMs })
  const last = new Map<string, readonly string[]>()
  const flights = createSingleFlight<string, readonly string[]>({ flightsMax: hostsMax })

  async function addressesOf(host: string): Promise<readonly string[]> {
    const known = fresh.get(host, clock.monotonic())
    return known ?? flights.run(host, () => lookUp(host))
  }

  async function lookUp(host: string): Promise<readonly string[]> {
    const found = await within(resolve(host))
    const addresses = found?.map(canonicalAddress) ?? last.get(host) ?? []
    fresh.set(host, addresses, clock.monotonic())
    if (last.size >= hostsMax) last.clear()
    last.set(host, addresses)
    return addresses
  }

  return {
    async of(hosts) {
      const names = [...hosts].filter(host => isIP(host) === 0)
      return new Set((await Promise.all(names.map(addressesOf))).flat())
    },
  }
}

/** Null when the name leads nowhere, or nobody says so in time. */
async function within(resolving: Promise<readonly string[]>): Promise<readonly string[] | null> {
  const known = resolving.catch(() => null)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>(resolve => {
    timer = setTimeout(resolve, answerMs, null)
  })
  try {
    return await Promise.race([known, late])
  } finally {
    clearTimeout(timer)
  }
}
