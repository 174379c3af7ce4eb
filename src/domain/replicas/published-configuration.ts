import { isJsonObject, parseJsonBytes } from '../../lib/json.ts'
import { type DocumentChange, openContent } from './change-document.ts'
import type { SharedDocument } from './types.ts'

/** The document that holds the configuration that all gateways follow. */
export const configurationDocument = 'configuration'

/** What was published before the last hundred times may be taken for new again. */
const earlierMax = 100

/** A text of a rialto.yaml, with references to the environment as they were written. */
export interface ConfigurationText {
  readonly text: string
  /** Unix seconds of its last change. */
  readonly changedSeconds: number
  /** Equal for texts that say the same about what gateways share. */
  readonly fingerprint: string
}

export interface PublishedConfiguration extends ConfigurationText {
  /** Of what was published before, the oldest first; without its own. */
  readonly earlier: readonly string[]
}

/** @throws Error when the content is not what this version writes. */
export function decodeConfiguration(content: Buffer): PublishedConfiguration {
  const value = parseJsonBytes(content)
  if (!isJsonObject(value)) throw unknownForm()
  const { text, changedSeconds, fingerprint, earlier } = value
  if (typeof text !== 'string' || typeof changedSeconds !== 'number' || typeof fingerprint !== 'string') {
    throw unknownForm()
  }
  if (!Array.isArray(earlier) || !earlier.every(isText)) throw unknownForm()
  return { text, changedSeconds, fingerprint, earlier }
}

/**
 * What a gateway's own text is beside the published one: the `same`, one that was published `earlier` and is out of date
 * since, or `new`.
 */
export function judgeOwn(published: PublishedConfiguration | null, fingerprint: string): 'same' | 'earlier' | 'new' {
  if (published === null) return 'new'
  if (published.fingerprint === fingerprint) return 'same'
  return published.earlier.includes(fingerprint) ? 'earlier' : 'new'
}

/** Makes a text the published one. The outcome is whether it was not before. @throws Error when what is there is unreadable */
export function publishText(found: SharedDocument | null, own: ConfigurationText): DocumentChange<boolean> {
  const published = found === null ? null : decodeConfiguration(openContent(found))
  if (judgeOwn(published, own.fingerprint) === 'same') return { content: null, outcome: false }
  return { content: encodeNext(published, own), outcome: true }
}

/** The same, also over what this gateway cannot read: for people who know what they do. */
export function publishOver(found: SharedDocument | null, own: ConfigurationText): DocumentChange<boolean> {
  return publishText(isUnreadable(found) ? null : found, own)
}

/** Publishes a text only when it is new. The outcome is what it was beside the published one, where that can be told. */
export function publishIfNew(
  found: SharedDocument | null,
  own: ConfigurationText,
): DocumentChange<ReturnType<typeof judgeOwn> | 'unreadable'> {
  if (isUnreadable(found)) return { content: null, outcome: 'unreadable' }
  const published = found === null ? null : decodeConfiguration(openContent(found))
  const outcome = judgeOwn(published, own.fingerprint)
  return { content: outcome === 'new' ? encodeNext(published, own) : null, outcome }
}

function isUnreadable(found: SharedDocument | null): boolean {
  try {
    if (found !== null) decodeConfiguration(openContent(found))
    return false
  } catch {
    return true
  }
}

function encodeNext(published: PublishedConfiguration | null, own: ConfigurationText): Buffer {
  const { text, changedSeconds, fingerprint } = own
  const known = published === null ? [] : [...published.earlier, published.fingerprint]
  const earlier = known.filter(other => other !== fingerprint).slice(-earlierMax)
  const next: PublishedConfiguration = { text, changedSeconds, fingerprint, earlier }
  return Buffer.from(JSON.stringify(next))
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function unknownForm(): Error {
  return new Error('the published configuration has a form that this version does not know')
}
