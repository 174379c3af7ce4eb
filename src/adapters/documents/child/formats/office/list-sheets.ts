import { walkXml, type XmlAttributes } from '../xml/walk-xml.ts'
import type { Container } from '../zip/open-container.ts'
import { relationsOf } from './part-paths.ts'

export interface ListedSheet {
  readonly name: string
  /** The part that holds its cells; undefined where the workbook names one that is not there. */
  readonly part: Buffer | undefined
}

/** What a workbook says of itself, and the parts that all of its sheets need. */
export interface SheetList {
  readonly sheets: readonly ListedSheet[]
  /** Dates are counted from 1904, as some programs do. */
  readonly from1904: boolean
  readonly styles: Buffer | undefined
  readonly strings: Buffer | undefined
}

/** The sheets of a workbook in XML, in their order; null for XLSB and XLS, whose lists are binary. */
export function listSheets(parts: Container): SheetList | null {
  const main = [...relationsOf(parts, '').values()].find(({ type }) => type === 'officeDocument')?.target ?? ''
  const workbook = parts.get(main)
  if (workbook === undefined) return null
  const relations = relationsOf(parts, main)
  const sheets: ListedSheet[] = []
  let from1904 = false
  walkXml(workbook, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = ['1', 'true', 'on'].includes(attributes['date1904'] ?? '')
      if (name !== 'sheet') return
      const target = relations.get(relationId(attributes))?.target ?? ''
      sheets.push({ name: attributes['name'] ?? '', part: parts.get(target) })
    },
  })
  const shared = (type: string) => parts.get([...relations.values()].find(it => it.type === type)?.target ?? '')
  return { sheets, from1904, styles: shared('styles'), strings: shared('sharedStrings') }
}

/** `r:id`, whatever the prefix stands for it in this file. */
function relationId(attributes: XmlAttributes): string {
  return Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
}
