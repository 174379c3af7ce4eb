import { link, open, readFile, stat, unlink } from 'node:fs/promises'
import type { Random } from '../../core/random.ts'
import { Secret } from '../../lib/secret.ts'

const secretBytes = 32
const secretLengthMin = 32
const secretMode = 0o600
const rightsOfOthers = 0o077

export interface StoredSecret {
  readonly secret: Secret
  /** True when it was made just now. */
  readonly isNew: boolean
  /** True when others on this machine may read the file: worth a warning. */
  readonly isExposed: boolean
}

/**
 * Reads the gateway's secret, and makes it at first start (operator.md §1). Processes that start together end up with
 * the same secret: it is written aside, and only one can put its file in place.
 * @throws Error when the file cannot be read or holds no secret
 */
export async function readOrCreateSecret(path: string, random: Random): Promise<StoredSecret> {
  const existing = await readSecret(path)
  if (existing !== null) return { ...existing, isNew: false }
  const isNew = await createSecret(path, random)
  const created = await readSecret(path)
  if (created === null) throw new Error(`The secret ${path} went away while it was read.`)
  return { ...created, isNew }
}

async function readSecret(path: string): Promise<Omit<StoredSecret, 'isNew'> | null> {
  const text = await readFile(path, 'utf8').catch(whenMissing)
  if (text === null) return null
  const trimmed = text.trim()
  if (trimmed.length < secretLengthMin) {
    throw new Error(`The secret ${path} has fewer than ${secretLengthMin} characters. Restore it from a backup.`)
  }
  const { mode } = await stat(path)
  return { secret: new Secret(trimmed), isExposed: (mode & rightsOfOthers) !== 0 }
}

/** False when another process was first. */
async function createSecret(path: string, random: Random): Promise<boolean> {
  const aside = `${path}.${random.hex(8)}`
  const file = await open(aside, 'wx', secretMode)
  try {
    await file.writeFile(`${random.hex(secretBytes)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(aside, path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  } finally {
    await unlink(aside)
  }
}

function whenMissing(error: unknown): null {
  if (hasCode(error, 'ENOENT')) return null
  throw error
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
