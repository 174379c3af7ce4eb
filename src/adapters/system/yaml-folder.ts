import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface FolderFile {
  /** As messages name it. */
  readonly path: string
  readonly text: string
  readonly createdMs: number
  readonly changedMs: number
}

export interface FolderBounds {
  readonly filesMax: number
  readonly bytesMax: number
}

const yamlName = /^[^.].*\.ya?ml$/i

/**
 * Reads the YAML files that lie in a folder, in the order of their names; a folder that is not there holds none. Folders in
 * it and hidden files are passed over.
 * @throws Error that names what cannot be read, or which bound is exceeded
 */
export async function readYamlFolder(folder: string, bounds: FolderBounds): Promise<readonly FolderFile[]> {
  const names = (await listNames(folder)).filter(name => yamlName.test(name)).sort()
  if (names.length > bounds.filesMax) throw new Error(`${folder} holds more than ${bounds.filesMax} YAML files.`)
  const files: FolderFile[] = []
  for (const name of names) {
    const file = await readOne(join(folder, name), bounds.bytesMax)
    if (file !== null) files.push(file)
  }
  return files
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw new Error(`The folder ${folder} cannot be read: ${codeOf(error)}.`)
  }
}

/** Null for what is no file. One byte more than may be is asked for, so that a longer file shows itself. */
async function readOne(path: string, bytesMax: number): Promise<FolderFile | null> {
  try {
    const stats = await stat(path)
    if (!stats.isFile()) return null
    const handle = await open(path)
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytesMax + 1), 0, bytesMax + 1, 0)
      if (bytesRead > bytesMax) throw new Error(`it is longer than ${bytesMax} bytes`)
      const text = new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead))
      // A file system without times of birth says 1970 or a time after the last change.
      const createdMs = stats.birthtimeMs > 0 ? Math.min(stats.birthtimeMs, stats.mtimeMs) : stats.mtimeMs
      return { path, text, createdMs: Math.floor(createdMs), changedMs: Math.floor(stats.mtimeMs) }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw new Error(`${path} cannot be read: ${codeOf(error)}.`)
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  if ('code' in error)
    return error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : String(error.code)
  return error.message
}
