import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FoundFile } from '../../domain/search/document-source.ts'

/** What is looked at of one named folder, so that the root of a disk ends with an answer, and what of it is held in memory. */
export interface WalkBounds {
  readonly documents: number
  /** Everything that lies in the folders, whatever it is. */
  readonly entries: number
  /** Folders within folders, the named one not counted. */
  readonly depth: number
}

const walkBounds: WalkBounds = { documents: 20_000, entries: 500_000, depth: 32 }
const documentName = /\.(?:md|markdown|txt|text|rst|adoc|html?|pdf|docx|pptx|xlsx|xls|epub|csv|tsv|json|ya?ml|xml)$/i

/**
 * All documents of a folder and of the folders in it, by name. Hidden ones, links and installed packages are passed over.
 * @throws Error with a text for the operator, also where there is more than the bounds allow
 */
export async function findDocuments(root: FoundFile, bounds: WalkBounds = walkBounds): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = []
  let entries = 0

  async function walk(folder: FoundFile, depth: number): Promise<void> {
    if (depth > bounds.depth) throw tooMuch(folder, `lies more than ${bounds.depth} folders deep in ${root.path}`)
    for (const entry of await entriesOf(folder)) {
      const file = { path: join(folder.path, entry.name), name: `${folder.name}/${entry.name}` }
      if (entry.isDirectory()) await walk(file, depth + 1)
      else found.push(file)
      if (found.length > bounds.documents) throw tooMuch(root, `holds more than ${shown(bounds.documents)} documents`)
    }
  }

  /** Counted while they are read: a folder can hold more than memory does. */
  async function entriesOf({ path }: FoundFile): Promise<readonly Dirent[]> {
    const wanted: Dirent[] = []
    for await (const entry of await opendir(path)) {
      entries += 1
      if (entries > bounds.entries)
        throw tooMuch(root, `holds more than ${shown(bounds.entries)} files and folders of any kind`)
      if (isWanted(entry)) wanted.push(entry)
    }
    return wanted.toSorted((left, right) => (left.name < right.name ? -1 : 1))
  }

  await walk(root, 0)
  return found
}

function isWanted(entry: Dirent): boolean {
  if (entry.name.startsWith('.')) return false
  return entry.isDirectory() ? entry.name !== 'node_modules' : entry.isFile() && documentName.test(entry.name)
}

function tooMuch({ path }: FoundFile, what: string): Error {
  return new Error(`${path} ${what}: add the folders with your documents one by one.`)
}

function shown(count: number): string {
  return count.toLocaleString('en-US')
}
