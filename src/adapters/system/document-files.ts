import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { DocumentFiles, FoundFile } from '../../domain/search/document-source.ts'

const filesMax = 20_000
const depthMax = 32
/** What has taken a file's place since it was found, such as a link or a pipe, is neither followed nor waited for. */
const regular = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const missingCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])
const documentName = /\.(?:md|markdown|txt|text|rst|adoc|html?|pdf|docx|pptx|xlsx|xls|epub|csv|tsv|json|ya?ml|xml)$/i

/** The operator's files on this machine. */
export const documentFiles: DocumentFiles = {
  async list(path) {
    const stats = await lstat(path).catch((cause: NodeJS.ErrnoException) => {
      const why = missingCodes.has(cause.code ?? '') ? 'is not there' : `cannot be looked at (${cause.code})`
      throw new Error(`${path} ${why}.`, { cause })
    })
    const name = basename(resolve(path))
    if (stats.isFile()) return [{ path, name }]
    if (!stats.isDirectory()) throw new Error(`${path} is neither a file nor a folder.`)
    const found: FoundFile[] = []
    await walk({ path, name }, found, depthMax)
    return found
  },
  async read(path, bytesMax) {
    const handle = await open(path, regular)
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) throw new Error('it is no file any more')
      const { size } = stats
      if (size > bytesMax) throw new Error(`it is longer than ${bytesMax.toLocaleString('en-US')} bytes`)
      // A file that grows meanwhile is read as far as it was.
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  },
}

async function walk(folder: FoundFile, found: FoundFile[], depth: number): Promise<void> {
  const entries = await readdir(folder.path, { withFileTypes: true })
  for (const entry of entries.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const file = { path: join(folder.path, entry.name), name: `${folder.name}/${entry.name}` }
    if (entry.isDirectory() && entry.name !== 'node_modules' && depth > 0) await walk(file, found, depth - 1)
    if (!entry.isFile() || !documentName.test(entry.name)) continue
    if (found.length >= filesMax) throw new Error(`There are more than ${filesMax} documents: add parts of the folder.`)
    found.push(file)
  }
}
