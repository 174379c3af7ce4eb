import { type CellObject, type DenseWorkSheet, type ParsingOptions, read, type WorkBook } from '@e965/xlsx'
import { type Extracted, ReadingFailure } from '../../reading.ts'
import { joinBlocks, markdownTable } from '../markdown.ts'
import { refuseDoctypes } from '../zip/office-kind.ts'
import type { Container } from '../zip/open-container.ts'
import { listSheets, type SheetList } from './list-sheets.ts'
import { workbookOf } from './workbook-of.ts'

/**
 * The library looks for each sheet among all parts, which takes a minute for 10,000 sheets and no time for some. So many
 * sheets are given to it in batches of this size.
 */
const sheetsAtATime = 100
/** Sheets of a binary workbook cannot be taken apart like this. */
const binarySheetsMax = 1_000
/** What is read of a sheet; what is left out is said. */
const rowsMax = 20_000
const columnsMax = 256
/** Beyond it the rest would be cut off anyway. */
const charactersMax = 2_200_000

const options: ParsingOptions = {
  // One row more, which tells that there are more.
  sheetRows: rowsMax + 1,
  dense: true,
  // A formula without a stored result is kept, to be shown itself.
  sheetStubs: true,
  cellHTML: false,
  cellText: true,
  dateNF: 'yyyy-mm-dd',
  bookVBA: false,
}

/** One table per sheet: values as they are shown, dates as dates, formulas as their results. For XLSX, XLSB and XLS. */
export function readWorkbook(bytes: Uint8Array, parts: Container): Extracted {
  refuseDoctypes(parts)
  const list = listSheets(parts)
  const isLong = list !== null && list.sheets.length > sheetsAtATime
  const blocks: string[] = []
  let characters = 0
  let sheets = 0
  for (const book of isLong ? batchesOf(list) : [readWhole(bytes, list)]) {
    sheets += book.SheetNames.length
    for (const name of book.SheetNames) {
      if (characters > charactersMax) break
      const block = sheetBlock(book, name)
      characters += block.length
      blocks.push(block)
    }
    if (characters > charactersMax) break
  }
  if (blocks.length === 0) throw new ReadingFailure('unreadable')
  return { text: blocks.join('\n\n'), pages: list?.sheets.length ?? sheets }
}

function* batchesOf(list: SheetList): Generator<WorkBook> {
  for (let at = 0; at < list.sheets.length; at += sheetsAtATime)
    yield read(workbookOf(list.sheets.slice(at, at + sheetsAtATime), list), options)
}

/** @throws ReadingFailure too_large, for a binary workbook of too many sheets */
function readWhole(bytes: Uint8Array, list: SheetList | null): WorkBook {
  const isMany = list === null && read(bytes, { bookSheets: true }).SheetNames.length > binarySheetsMax
  if (isMany) throw new ReadingFailure('too_large')
  return read(bytes, options)
}

function sheetBlock({ Sheets }: WorkBook, name: string): string {
  const mark = `[Sheet: ${name}]`
  const rows = (Sheets[name] as DenseWorkSheet | undefined)?.['!data'] ?? []
  const first = firstColumn(rows)
  const table = rows.slice(0, rowsMax).map(row => (row ?? []).slice(first, first + columnsMax + 1))
  const left = [
    rows.length > rowsMax ? `[Rows after ${rowsMax} are left out.]` : '',
    table.some(row => row.length > columnsMax) ? `[Columns after ${columnsMax} are left out.]` : '',
  ]
  return joinBlocks([mark, markdownTable(table.map(row => Array.from(row, shown))), ...left])
}

/** Where the table begins: empty columns before it say nothing. Rows and cells that are empty are holes. */
function firstColumn(rows: readonly (readonly CellObject[] | undefined)[]): number {
  let first = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const at = row?.findIndex(cell => shown(cell) !== '') ?? -1
    if (at !== -1) first = Math.min(first, at)
  }
  return Number.isFinite(first) ? first : 0
}

/** A formula whose result was never stored shows itself. */
function shown(cell: CellObject | undefined): string {
  if (cell === undefined) return ''
  if (cell.t === 'z') return cell.f === undefined ? '' : `=${cell.f}`
  return cell.w ?? (cell.v === undefined ? '' : String(cell.v))
}
