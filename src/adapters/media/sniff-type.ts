import type { SniffType } from '../../core/sniff-type.ts'
import { afterId3 } from '../../lib/after-id3.ts'

/** What the library may walk through: some containers are lists, which whoever sends them may make long. */
const headBytes = 65_536

export const sniffType: SniffType = async bytes => {
  const start = afterId3(bytes)
  const head = bytes.subarray(start, start + headBytes)
  const { fileTypeFromBuffer } = await import('file-type')
  try {
    return (await fileTypeFromBuffer(head))?.mime.toLowerCase() ?? null
  } catch {
    // The library reads on in containers that end too early; what it cannot name is nothing.
    return null
  }
}
