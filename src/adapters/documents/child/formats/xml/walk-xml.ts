import { SaxesParser } from 'saxes'
import { ReadingFailure } from '../../reading.ts'
import { decodeText } from '../decode-text.ts'

/** Real documents stay far below it; a parser's stack is not the place for more. */
const depthMax = 512

export type XmlAttributes = Readonly<Record<string, string>>

/** Elements come without their prefix, attributes with it. */
export interface XmlVisitor {
  open?(name: string, attributes: XmlAttributes): void
  text?(text: string): void
  close?(name: string): void
}

/** Reads one XML part. Entities other than XML's own five are errors. @throws Error for what is not well-formed */
export function walkXml(part: Uint8Array, visitor: XmlVisitor): void {
  const parser = new SaxesParser({ position: false, xmlns: false })
  let depth = 0
  parser.on('error', error => {
    throw error
  })
  parser.on('doctype', () => {
    throw new ReadingFailure('unreadable')
  })
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1
    if (depth > depthMax) throw new ReadingFailure('unreadable')
    visitor.open?.(localName(name), attributes)
  })
  parser.on('text', text => visitor.text?.(text))
  parser.on('cdata', text => visitor.text?.(text))
  parser.on('closetag', ({ name }) => {
    depth -= 1
    visitor.close?.(localName(name))
  })
  parser.write(decodeText(part)).close()
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
