import { ReadingFailure } from '../../reading.ts'
import { walkXml } from '../xml/walk-xml.ts'
import type { Container } from './open-container.ts'

export type ContainerKind = 'docx' | 'pptx' | 'xlsx' | 'epub'

const kindByContentType: readonly (readonly [RegExp, ContainerKind])[] = [
  [/wordprocessingml\.(document|template)\.main|ms-word\.(document|template)\.macro/i, 'docx'],
  [
    /presentationml\.(presentation|slideshow|template)\.main|ms-powerpoint\.(presentation|slideshow|template)\.macro/i,
    'pptx',
  ],
  [/spreadsheetml\.(sheet|template)\.main|ms-excel\.(sheet|template)\.(macro|binary)/i, 'xlsx'],
]

/** What a container holds, as its own list of contents says; null when it is none of what can be read. */
export function officeKind(parts: Container): ContainerKind | null {
  if (parts.has('META-INF/container.xml')) return 'epub'
  const types = parts.get('[Content_Types].xml')
  if (types === undefined) return null
  let kind: ContainerKind | null = null
  walkXml(types, {
    open(_, attributes) {
      const type = attributes['ContentType'] ?? ''
      kind ??= kindByContentType.find(([pattern]) => pattern.test(type))?.[1] ?? null
    },
  })
  return kind
}

const declarations = ['<!DOCTYPE', '<!ENTITY'].flatMap(text => {
  const utf16 = Buffer.from(text, 'utf16le')
  return [Buffer.from(text), utf16, Buffer.from(utf16).swap16()]
})

/**
 * Office documents declare no document type, and whoever expands entities can be made to expand a billion of them.
 * @throws ReadingFailure unreadable
 */
export function refuseDoctypes(parts: Container): void {
  for (const part of parts.values())
    if (declarations.some(declaration => part.includes(declaration))) throw new ReadingFailure('unreadable')
}
