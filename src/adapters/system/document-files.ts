import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { DocumentFiles } from '../../domain/search/document-source.ts'
import { findDocuments } from './find-documents.ts'

/** What has taken a file's place since it was found, such as a link or a pipe, is neither followed nor waited for. */
const regular = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const missingCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])

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
    return findDocuments({ path, name })
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
