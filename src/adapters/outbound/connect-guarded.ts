import { isIP, type Socket } from 'node:net'
import { FetchRefused } from '../../core/guarded-fetch.ts'
import { lastingTimeout } from '../../lib/lasting-timeout.ts'
import type { DialSocket } from './dial-socket.ts'
import type { Destination, HostRules } from './judge-address.ts'
import type { MachineAddresses } from './machine-addresses.ts'
import { canonicalAddress, isPublicAddress } from './public-address.ts'
import type { ResolveHost } from './resolve-host.ts'

/** A host with more addresses is tried at the first ones. */
const addressesTriedMax = 4
const addressMs = 3_000

export interface Connecting {
  readonly resolve: ResolveHost
  readonly dial: DialSocket
  readonly rules: HostRules
  /** Addresses of this machine's own network interfaces. */
  readonly interfaceAddresses: ReadonlySet<string>
  readonly machineAddresses: MachineAddresses
}

/**
 * Looks the name up once, judges every answer and dials one of exactly these answers: no second look-up stands between
 * judgement and connection. One answer that is not public refuses all of them, since a name that mixes them is a trap.
 * @throws FetchRefused
 */
export async function connectGuarded(
  destination: Destination,
  connecting: Connecting,
  signal: AbortSignal,
): Promise<Socket> {
  const addresses = await addressesOf(destination, connecting.resolve, signal)
  if (!destination.allowed) await judgeAll(addresses, connecting)
  signal.throwIfAborted()
  let last: unknown = null
  for (const address of addresses.slice(0, addressesTriedMax)) {
    signal.throwIfAborted()
    try {
      return await dialOne(address, destination, connecting, signal)
    } catch (error) {
      last = error
    }
  }
  throw new FetchRefused('unreachable', { cause: last })
}

async function addressesOf(destination: Destination, resolve: ResolveHost, signal: AbortSignal) {
  if (isIP(destination.host) !== 0) return [destination.host]
  try {
    return await resolve(destination, signal)
  } catch (cause) {
    throw new FetchRefused('unreachable', { cause })
  }
}

/** @throws FetchRefused when one of them is not public, or is a machine of the operator's by whatever name */
async function judgeAll(addresses: readonly string[], connecting: Connecting): Promise<void> {
  const { rules, interfaceAddresses, machineAddresses } = connecting
  const own = [interfaceAddresses, rules.ownHosts, await machineAddresses.of(rules.machines)]
  const mayDial = (address: string) =>
    isPublicAddress(address) && !own.some(known => known.has(canonicalAddress(address)))
  if (!addresses.every(mayDial)) throw new FetchRefused('address')
}

function dialOne(
  address: string,
  { url, host, port }: Destination,
  { dial }: Connecting,
  signal: AbortSignal,
): Promise<Socket> {
  const tlsHost = url.protocol === 'https:' ? host : null
  return dial({ address, port, tlsHost }, AbortSignal.any([signal, lastingTimeout(addressMs)]))
}
