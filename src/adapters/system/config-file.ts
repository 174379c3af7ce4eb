import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'

export interface ConfigText {
  readonly text: string
  /** Unix seconds of the last change. */
  readonly changedSeconds: number
}

/**
 * Reads a configuration file; null when there is none.
 * @throws Error that names the file, when it cannot be read, is longer than `bytesMax`, or is not UTF-8
 */
export async function readConfigFile(path: string, bytesMax: number): Promise<ConfigText | null> {
  try {
    const { mtimeMs } = await stat(path)
    const chunks: Buffer[] = []
    // The stream ends one byte behind the bound, so that a longer file shows itself, whatever its size claims to be.
    for await (const chunk of createReadStream(path, { end: bytesMax })) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    if (bytes.length > bytesMax) throw new Error(`it is longer than ${bytesMax} bytes`)
    return {
      text: new TextDecoder('utf-8', { fatal: true }).decode(bytes),
      changedSeconds: Math.floor(mtimeMs / 1_000),
    }
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === 'ENOENT') return null
    throw new Error(`The configuration ${path} cannot be read: ${reason}.`)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  if ('code' in error)
    return error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : String(error.code)
  return error.message
}
