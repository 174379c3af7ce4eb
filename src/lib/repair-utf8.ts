import { isUtf8 } from 'node:buffer'

/** The same bytes when they are UTF-8; else a copy in which U+FFFD stands for what is not. */
export function repairUtf8(bytes: Buffer): Buffer {
  return isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('utf8'))
}
