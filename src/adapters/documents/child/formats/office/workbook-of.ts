import { CFB } from '@e965/xlsx'
import type { ListedSheet, SheetList } from './list-sheets.ts'

const formats = 'http://schemas.openxmlformats.org'
const office = `${formats}/officeDocument/2006/relationships`
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** A workbook of these sheets alone, with what all sheets share. Links and comments of sheets stay behind. */
export function workbookOf(sheets: readonly ListedSheet[], list: SheetList): Uint8Array {
  const shared = [
    { path: 'styles.xml', kind: 'styles', part: list.styles },
    { path: 'sharedStrings.xml', kind: 'sharedStrings', part: list.strings },
  ].filter(({ part }) => part !== undefined)
  const own = sheets.map(({ part }, at) => ({ path: `worksheets/sheet${at + 1}.xml`, kind: 'worksheet', part }))
  const parts = [...own, ...shared]
  const relations = parts.map(
    ({ path, kind }, at) => `<Relationship Id="r${at + 1}" Type="${office}/${kind}" Target="${path}"/>`,
  )
  const overrides = shared.map(({ path, kind }) => override(path, kind))
  return zipOf([
    [
      '[Content_Types].xml',
      `<Types xmlns="${formats}/package/2006/content-types">${override('workbook.xml', 'sheet.main')}${overrides.join('')}</Types>`,
    ],
    ['xl/workbook.xml', workbookPart(sheets, list.from1904)],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${formats}/package/2006/relationships">${relations.join('')}</Relationships>`,
    ],
    ...parts.map(({ path, part }) => [`xl/${path}`, part ?? ''] as const),
  ])
}

function override(path: string, kind: string): string {
  return `<Override PartName="/xl/${path}" ContentType="${contentType}.${kind}+xml"/>`
}

function workbookPart(sheets: readonly ListedSheet[], from1904: boolean): string {
  const items = sheets.map(({ name }, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="r${at + 1}"/>`)
  const names = `xmlns="${formats}/spreadsheetml/2006/main" xmlns:r="${office}"`
  return `<workbook ${names}><workbookPr date1904="${from1904 ? 1 : 0}"/><sheets>${items.join('')}</sheets></workbook>`
}

function escaped(name: string): string {
  return name.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`)
}

/** What is used of the library's containers, which its own types call `any`. */
interface Containers {
  readonly utils: {
    cfb_new(): object
    /** `unsafe`: does not look whether the path is there already. */
    cfb_add(container: object, path: string, content: Buffer, options: { readonly unsafe: true }): void
  }
  write(container: object, options: { readonly fileType: 'zip'; readonly type: 'buffer' }): Uint8Array
}

/** Without compression: it is read at once. */
function zipOf(files: readonly (readonly [string, Buffer | string])[]): Uint8Array {
  const { utils, write }: Containers = CFB
  const container = utils.cfb_new()
  for (const [path, content] of files) utils.cfb_add(container, path, Buffer.from(content), { unsafe: true })
  return write(container, { fileType: 'zip', type: 'buffer' })
}
