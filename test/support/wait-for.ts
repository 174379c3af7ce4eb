import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'

const DEFAULT_WITHIN_MS = 15_000
const DEFAULT_EVERY_MS = 5

type Falsy = false | 0 | '' | null | undefined

/**
 * Polls until the probe gives something truthy and returns it.
 * Throws `waited … ms for <what>` after `withinMs` (default 15,000: long enough for a busy machine, as only a failing wait takes so long), with the probe's last value; a probe that throws
 * ends the wait at once.
 */
export async function waitFor<Value>(
  what: string,
  probe: () => Value | Falsy | Promise<Value | Falsy>,
  options: { withinMs?: number; everyMs?: number } = {},
): Promise<Value> {
  const { withinMs = DEFAULT_WITHIN_MS, everyMs = DEFAULT_EVERY_MS } = options
  const deadline = performance.now() + withinMs
  for (;;) {
    const value = await probe()
    if (value) return value
    if (performance.now() >= deadline) throw new Error(`waited ${withinMs} ms for ${what}; the last value was ${value}`)
    await setTimeout(everyMs)
  }
}
