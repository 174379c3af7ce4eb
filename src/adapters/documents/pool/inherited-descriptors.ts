import { readdirSync, readFileSync } from 'node:fs'

/** O_CLOEXEC: closed where a process becomes another program. */
const closesOnExec = 0o2000000

/**
 * Descriptors that whoever started the gateway left open to it, and that its children would get too: Node closes the
 * first of them only, and for all that it opens itself. None where there is no /proc.
 */
export function inheritedDescriptors(): readonly number[] {
  try {
    return readdirSync('/proc/self/fdinfo').map(Number).filter(isInherited)
  } catch {
    return []
  }
}

/** Whether a program that this one starts would get this descriptor. False when it is closed. */
export function isInherited(descriptor: number): boolean {
  if (descriptor <= 2) return false
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & closesOnExec) === 0
  } catch {
    // It is closed, as that of the folder's listing is by now.
    return false
  }
}
