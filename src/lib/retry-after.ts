/** A wait that is shorter invites a storm of retries; one that is longer is not believed, as clients obey blindly. */
const retryAfterMinMs = 1_000
const retryAfterMaxMs = 60_000

const headerCharactersMax = 64
const seconds = /^\d+(\.\d+)?$/
const imfDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const rfc850Date = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/**
 * The wait that a `Retry-After` header asks for, in milliseconds from 1,000 to 60,000: seconds (fractions too, which some
 * servers send) or any HTTP date of RFC 9110, counted from `nowMs`. Null when there is none or it is neither, negative
 * numbers included; nothing is guessed from a header that cannot be read.
 */
export function parseRetryAfter(value: string | null | undefined, nowMs: number): number | null {
  if (value === null || value === undefined || value.length > headerCharactersMax) return null
  const text = value.trim()
  if (seconds.test(text)) return clampRetryAfter(Number(text) * 1_000)
  const dateMs = parseHttpDate(text)
  return dateMs === null ? null : clampRetryAfter(dateMs - nowMs)
}

/** The header for a wait in milliseconds: whole seconds from 1 to 60, rounded up so that nobody comes too early. */
export function formatRetryAfter(waitMs: number): string {
  return String(Math.ceil(clampRetryAfter(waitMs) / 1_000))
}

function clampRetryAfter(waitMs: number): number {
  return Math.min(Math.max(Math.ceil(waitMs), retryAfterMinMs), retryAfterMaxMs)
}

function parseHttpDate(text: string): number | null {
  const isZoned = imfDate.test(text) || rfc850Date.test(text)
  if (!isZoned && !asctimeDate.test(text)) return null
  // The third form names no zone, and Date.parse would take it for local time.
  const dateMs = Date.parse(isZoned ? text : `${text} GMT`)
  return Number.isNaN(dateMs) ? null : dateMs
}
