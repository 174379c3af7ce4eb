import { type ZipEntry, zipFile } from './zip-file.ts'

const main = 'http://schemas.openxmlformats.org'
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

function contentTypes(part: string, type: string): ZipEntry {
  const override = `<Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/>`
  const defaults =
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
  return {
    name: '[Content_Types].xml',
    content: `${xml}<Types xmlns="${main}/package/2006/content-types">${defaults}${override}</Types>`,
  }
}

function relations(name: string, targets: readonly { readonly type: string; readonly target: string }[]): ZipEntry {
  const rows = targets.map(
    ({ type, target }, at) =>
      `<Relationship Id="rId${at + 1}" Type="${main}/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
  )
  return {
    name,
    content: `${xml}<Relationships xmlns="${main}/package/2006/relationships">${rows.join('')}</Relationships>`,
  }
}

export interface DocxOptions {
  /** Before the root element: where a document type would be declared. */
  readonly prologue?: string
  readonly text?: string
  /** Parts besides. */
  readonly more?: readonly ZipEntry[]
  /** Bytes before the container. */
  readonly prefix?: Buffer
}

export function docxFile({ prologue = '', text = 'Hello', more = [], prefix }: DocxOptions = {}): Buffer {
  const body = `<w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body>`
  const parts = [
    contentTypes('word/document.xml', 'wordprocessingml.document'),
    relations('_rels/.rels', [{ type: 'officeDocument', target: 'word/document.xml' }]),
    {
      name: 'word/document.xml',
      content: `${xml}${prologue}<w:document xmlns:w="${main}/wordprocessingml/2006/main">${body}</w:document>`,
    },
    ...more,
  ]
  return zipFile(parts, prefix)
}

/** A workbook with these rows of XML in each of its sheets. */
export function xlsxFile(sheets: readonly { readonly name: string; readonly rows: string }[]): Buffer {
  const list = sheets.map(({ name }, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')
  const names = `xmlns="${main}/spreadsheetml/2006/main" xmlns:r="${main}/officeDocument/2006/relationships"`
  return zipFile([
    contentTypes('xl/workbook.xml', 'spreadsheetml.sheet'),
    relations('_rels/.rels', [{ type: 'officeDocument', target: 'xl/workbook.xml' }]),
    { name: 'xl/workbook.xml', content: `${xml}<workbook ${names}><sheets>${list}</sheets></workbook>` },
    relations(
      'xl/_rels/workbook.xml.rels',
      sheets.map((_, at) => ({ type: 'worksheet', target: `worksheets/sheet${at + 1}.xml` })),
    ),
    ...sheets.map(({ rows }, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      content: `${xml}<worksheet ${names}><sheetData>${rows}</sheetData></worksheet>`,
    })),
  ])
}
