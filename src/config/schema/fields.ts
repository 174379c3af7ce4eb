import { isIP } from 'node:net'
import { z } from 'zod'

/** The kinds of scalar that rialto.yaml is made of. Every text has a longest length, every number a range. */

const lineMax = 500
const millisecondsMax = 86_400_000
const countMax = 1_000_000_000_000

/** One line of text. */
export function line(max = lineMax) {
  return z
    .string()
    .max(max, `must have at most ${max} characters`)
    .refine(text => !/\p{Cc}/u.test(text), 'must be one line without control characters')
}

/** Text that may have several lines. */
export function prose(max: number) {
  return z.string().max(max, `must have at most ${max} characters`)
}

/** A short name that goes into addresses, logs and metrics. */
export function shortName() {
  return z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'must be 1 to 64 letters, digits, dots, dashes or underscores, and begin with a letter or a digit',
    )
}

/** A model's id. It may hold slashes and colons, but not the ending that asks for web search. */
export function modelName() {
  return z
    .string()
    .regex(/^[^\s\p{Cc}]{1,200}$/u, 'must be 1 to 200 characters without spaces or control characters')
    .refine(id => !id.endsWith(':online'), 'must not end with ":online", which asks for web search')
}

/** A whole number in a range; both ends belong to it. */
export function whole(min: number, max = countMax) {
  const message = `must be a whole number from ${min} to ${max}`
  return z.int(message).min(min, message).max(max, message)
}

/** A wait in milliseconds. Zero is no wait at all and never means "for ever", so it is refused. */
export function milliseconds() {
  return whole(1, millisecondsMax)
}

/** A bound: a number, where 0 means zero, or the word that says that there is none. */
export function limit() {
  const message = 'must be a whole number, where 0 means zero, or the word unlimited'
  return z.union([z.int(message).min(0, message).max(countMax, message), z.literal('unlimited')], message)
}

/** A list with a bound on its length. */
export function list<Item extends z.ZodType>(item: Item, max: number) {
  return z.array(item).max(max, `must have at most ${max} entries`)
}

/** A key or token as it stands in a header: visible ASCII, or empty for none. */
export function credential() {
  return z.string().regex(/^[\x21-\x7e]{0,4000}$/, 'must be at most 4000 ASCII characters without spaces')
}

/** An address that is called over HTTP. Credentials have their own keys, and a path is completed by the gateway. */
export function httpUrl() {
  return line(2_000)
    .regex(/^https?:\/\//, 'must begin with http:// or https://')
    .refine(isPlainUrl, 'must be an address without user name, password, "?" and "#"')
}

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password, search, hash } = new URL(text)
  return `${username}${password}${search}${hash}` === ''
}

/** An IP address, or a range of them (`10.0.0.0/8`). */
export function addressRange() {
  return line(64).refine(isAddressRange, 'must be an IP address or a range such as 10.0.0.0/8')
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** `host:port`, with an IPv6 host in brackets. */
export function hostAndPort() {
  return line(270).refine(text => splitHostAndPort(text) !== null, 'must be host:port')
}

/** Null when the text is not `host:port`. Brackets around an IPv6 host are left out. */
export function splitHostAndPort(text: string): { readonly host: string; readonly port: number } | null {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/@[\]]+)):(\d{1,5})$/.exec(text)
  const host = match?.[1] ?? match?.[2]
  const port = Number(match?.[3])
  return host === undefined || port > 65_535 ? null : { host, port }
}
