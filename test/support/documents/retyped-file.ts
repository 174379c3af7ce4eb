import { openContainer } from '../../../src/adapters/documents/child/formats/zip/open-container.ts'
import { zipFile } from './zip-file.ts'

const list = '[Content_Types].xml'

/** The same Office document as another of its kinds, such as one that may hold macros: only its list of contents differs. */
export async function retypedFile(bytes: Buffer, from: string, to: string): Promise<Buffer> {
  const parts = new Map(await openContainer(bytes))
  const types = `${parts.get(list)}`
  if (!types.includes(from)) throw new Error(`There is no ${from} in this document.`)
  parts.set(list, Buffer.from(types.replace(from, to)))
  return zipFile([...parts].map(([name, content]) => ({ name, content })))
}
