import { networkInterfaces } from 'node:os'
import type { Clock } from '../../core/clock.ts'
import { type FetchedResource, FetchRefused, type FetchRequest, type GuardedFetch } from '../../core/guarded-fetch.ts'
import { lastingTimeout } from '../../lib/lasting-timeout.ts'
import { createSharedRoom } from '../../lib/shared-room.ts'
import { askHost, type HostAnswer } from './ask-host.ts'
import { connectGuarded } from './connect-guarded.ts'
import { type DialSocket, dialSocket } from './dial-socket.ts'
import { type Destination, type HostRules, judgeAddress } from './judge-address.ts'
import { createMachineAddresses } from './machine-addresses.ts'
import { canonicalAddress } from './public-address.ts'
import { readWithin } from './read-within.ts'
import { type ResolveHost, type ResolveOwn, resolveHost, resolveOwn as resolveOwnHost } from './resolve-host.ts'

/**
 * Fetches at a time, three quarters of them for one owner; more are refused at once, since whoever waits holds a caller's
 * connection.
 */
const fetchesMax = 128

/** More hops than this help nobody. */
const redirectsMax = 5

export interface GuardedFetchOptions {
  readonly rules: () => HostRules
  readonly clock: Pick<Clock, 'monotonic'>
  /** Left out, the machine's name servers and sockets. Tests of address rules put recorders here. */
  readonly resolve?: ResolveHost
  readonly dial?: DialSocket
  readonly resolveOwn?: ResolveOwn
}

/** The one function that dials what a caller, a page or a document named. */
export function createGuardedFetch({
  rules,
  clock,
  resolve = resolveHost,
  dial = dialSocket,
  resolveOwn = resolveOwnHost,
}: GuardedFetchOptions): GuardedFetch {
  const machineAddresses = createMachineAddresses(resolveOwn, clock)
  const fetches = createSharedRoom(fetchesMax)

  async function hop(request: FetchRequest, base: URL | null, signal: AbortSignal) {
    const current = rules()
    const destination = judgeAddress(request.address, base, current)
    if ((await request.mayVisit?.(destination.url, signal)) === false) throw new FetchRefused('not_welcome')
    const connecting = { resolve, dial, rules: current, interfaceAddresses: ownAddresses(), machineAddresses }
    const connect = () => connectGuarded(destination, connecting, signal)
    return { destination, answer: await askHost(destination, request, { connect, signal }) }
  }

  async function follow(request: FetchRequest, signal: AbortSignal): Promise<FetchedResource> {
    let { address } = request
    let base: URL | null = null
    for (let hops = 0; ; hops++) {
      const { destination, answer } = await hop({ ...request, address }, base, signal)
      try {
        const next = locationOf(answer)
        if (next === null) return await readAnswer(answer, destination, request)
        if (hops >= Math.min(request.redirectsMax, redirectsMax)) throw new FetchRefused('redirect')
        address = next
        base = destination.url
      } finally {
        answer.close()
      }
    }
  }

  return async (request, signal) => {
    const place = fetches.of(request.owner)
    if (!place.take(1)) throw new FetchRefused('busy')
    const deadline = lastingTimeout(request.totalMs)
    try {
      return await follow(request, AbortSignal.any([signal, deadline]))
    } catch (error) {
      signal.throwIfAborted()
      if (deadline.aborted) throw new FetchRefused('timeout', { cause: error })
      throw error
    } finally {
      place.giveBack(1)
    }
  }
}

/** Where a redirect leads; null for every other answer. @throws FetchRefused for a status that is neither */
function locationOf({ status, headers }: HostAnswer): string | null {
  if (status >= 200 && status < 300) return null
  const { location } = headers
  if (status < 300 || status >= 400) throw new FetchRefused('status', { status })
  if (typeof location !== 'string') throw new FetchRefused('redirect')
  return location
}

async function readAnswer(answer: HostAnswer, { url }: Destination, request: FetchRequest): Promise<FetchedResource> {
  const bytes = await readWithin(answer, request)
  const declared = answer.headers['content-type']
  const [type = '', ...parameters] = String(declared ?? '')
    .toLowerCase()
    .split(';')
  const charset = parameters.map(parameter => /^\s*charset\s*=\s*"?([\w.:-]+)"?\s*$/.exec(parameter)?.[1])
  return {
    bytes,
    contentType: type.trim() || null,
    charset: charset.find(name => name !== undefined) ?? null,
    address: url.href,
  }
}

/** Read each time, because a machine's addresses change while a gateway runs. */
function ownAddresses(): ReadonlySet<string> {
  const entries = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  return new Set(entries.map(({ address }) => canonicalAddress(address)))
}
