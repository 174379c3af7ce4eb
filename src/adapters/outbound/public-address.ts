import ipaddr from 'ipaddr.js'

/** Where all public hosts of IPv6 live. Every other block is special: mapped, NAT64, local, Teredo's and 6to4's are not. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

/** Public by their number, but a cloud's own service answers there (Azure's, for every machine in it). */
const metadataAddresses: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Whether the address belongs to a public host: an ordinary unicast address that no registry keeps for another use. IPv4
 * inside IPv6 is refused in all its forms, since no name server answers so (reliability.md §5.6).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || metadataAddresses.has(parsed.toString())) return false
  return parsed instanceof ipaddr.IPv4 || isGlobal(parsed)
}

function isGlobal(address: ipaddr.IPv6 | ipaddr.IPv4): boolean {
  return (
    address instanceof ipaddr.IPv6 && address.match(globalUnicast) && !documentation.some(block => address.match(block))
  )
}

/** Kept for examples, and newer than the library's table. */
const documentation: readonly [ipaddr.IPv6, number][] = [
  [ipaddr.IPv6.parse('2001:db8::'), 32],
  [ipaddr.IPv6.parse('3fff::'), 20],
]

/** One spelling per address, so that two of them can be compared; other texts as they are. */
export function canonicalAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.parse(address).toString() : address
}
