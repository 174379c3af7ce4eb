/**
 * Port: what bytes are, as a media type in small letters, from their beginning alone; null when nobody knows. Never
 * throws for bytes, and takes no longer for many than for few.
 */
export type SniffType = (bytes: Uint8Array) => Promise<string | null>
