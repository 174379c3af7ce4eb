import { markdownHeading, markdownTable } from '../markdown.ts'
import { walkXml, type XmlAttributes } from '../xml/walk-xml.ts'

const titleLevel = 2
const indentMax = 8
/** Placeholders that hold the same on every slide. */
const furniture = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

/** The blocks of one slide or of its notes, shape by shape. */
export function readSlide(part: Buffer): readonly string[] {
  const blocks: string[] = []
  let paragraphs: string[] = []
  let paragraph = ''
  let level = 0
  let placeholder = ''
  let inText = false
  let rows: string[][] | null = null
  let fallbackDepth = 0

  const endShape = () => {
    const isTitle = placeholder === 'title' || placeholder === 'ctrTitle'
    const text = paragraphs.join(isTitle ? ' ' : '\n')
    if (text.trim() !== '' && !furniture.has(placeholder))
      blocks.push(isTitle ? markdownHeading(titleLevel, text) : text)
    paragraphs = []
    placeholder = ''
  }
  const endParagraph = () => {
    if (paragraph.trim() !== '') paragraphs.push(`${'  '.repeat(level)}${level > 0 ? '- ' : ''}${paragraph.trim()}`)
    paragraph = ''
    level = 0
  }
  const endCell = () => {
    rows?.at(-1)?.push(paragraphs.map(text => text.trim()).join(' '))
    paragraphs = []
  }

  const open = (name: string, attributes: XmlAttributes) => {
    if (name === 'ph') placeholder = attributes['type'] ?? ''
    else if (name === 't') inText = true
    else if (name === 'br') paragraph += '\n'
    else if (name === 'tab') paragraph += '\t'
    else if (name === 'pPr') level = indentOf(attributes['lvl'])
    else if (name === 'tbl') rows = []
    else if (name === 'tr') rows?.push([])
  }
  const close = (name: string) => {
    if (name === 't') inText = false
    else if (name === 'p') endParagraph()
    else if (name === 'tc') endCell()
    else if (name === 'sp') endShape()
    else if (name === 'tbl' && rows !== null) {
      blocks.push(markdownTable(rows))
      rows = null
    }
  }
  walkXml(part, {
    // What older programs show instead says the same again.
    open(name, attributes) {
      if (name === 'Fallback' || fallbackDepth > 0) fallbackDepth += 1
      else open(name, attributes)
    },
    text(text) {
      if (inText && fallbackDepth === 0) paragraph += text
    },
    close(name) {
      if (fallbackDepth > 0) fallbackDepth -= 1
      else close(name)
    },
  })
  return blocks
}

function indentOf(level: string | undefined): number {
  const indent = Number(level ?? 0)
  return Number.isSafeInteger(indent) ? Math.min(Math.max(indent, 0), indentMax) : 0
}
