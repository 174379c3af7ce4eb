import { type Extracted, ReadingFailure } from '../../reading.ts'
import { decodeText } from '../decode-text.ts'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'
import { joinBlocks } from '../markdown.ts'
import { walkXml } from '../xml/walk-xml.ts'
import type { Container } from '../zip/open-container.ts'
import { resolvePart } from './part-paths.ts'

/** The chapters of a book, in the order of its spine. */
export function readEpub(parts: Container): Extracted {
  const chapters = spinePaths(parts)
  const locked = lockedPaths(parts)
  if (chapters.some(path => locked.has(path))) throw new ReadingFailure('encrypted')
  const texts = chapters.map(path => parts.get(path)).filter(part => part !== undefined)
  return { text: joinBlocks(texts.map(part => htmlToMarkdown(decodeText(part)))), pages: texts.length }
}

/** @throws ReadingFailure when there is no book in the container */
function spinePaths(parts: Container): readonly string[] {
  const packagePath = fullPath(parts.get('META-INF/container.xml'))
  const file = parts.get(packagePath)
  if (file === undefined) throw new ReadingFailure('unreadable')
  const addresses = new Map<string, string>()
  const spine: string[] = []
  walkXml(file, {
    open(name, { id, href, idref }) {
      if (name === 'item' && id !== undefined && href !== undefined) addresses.set(id, href)
      if (name === 'itemref' && idref !== undefined) spine.push(idref)
    },
  })
  return spine
    .map(id => addresses.get(id))
    .filter(href => href !== undefined)
    .map(href => resolvePart(packagePath, decodeAddress(href)))
}

function fullPath(container: Buffer | undefined): string {
  let path = ''
  if (container === undefined) return path
  walkXml(container, {
    open(name, attributes) {
      if (name === 'rootfile' && path === '') path = attributes['full-path'] ?? ''
    },
  })
  return path
}

/** Parts that a shop has encrypted. */
function lockedPaths(parts: Container): ReadonlySet<string> {
  const file = parts.get('META-INF/encryption.xml')
  const paths = new Set<string>()
  if (file === undefined) return paths
  walkXml(file, {
    open(name, attributes) {
      if (name === 'CipherReference') paths.add(decodeAddress(attributes['URI'] ?? ''))
    },
  })
  return paths
}

function decodeAddress(address: string): string {
  const [path = ''] = address.split('#', 1)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
