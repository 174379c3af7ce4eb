/** The widest table that is still shown as one. */
const columnsMax = 256

/** One line without the characters that would end a cell. */
function cell(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')
}

/** A Markdown table whose first row is its head. Empty rows are left out; an empty table is an empty text. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const filled = rows.map(row => row.slice(0, columnsMax).map(cell)).filter(row => row.some(text => text !== ''))
  const width = filled.reduce((widest, row) => Math.max(widest, row.length), 0)
  if (width === 0) return ''
  const [head = [], ...body] = filled.map(row => `| ${pad(row, width).join(' | ')} |`)
  return [head, `|${' --- |'.repeat(width)}`, ...body].join('\n')
}

function pad(row: readonly string[], width: number): readonly string[] {
  return [...row, ...Array<string>(width - row.length).fill('')]
}

/** Markdown has six levels. */
export function markdownHeading(level: number, text: string): string {
  return `${'#'.repeat(Math.min(Math.max(level, 1), 6))} ${text.replace(/\s+/g, ' ').trim()}`
}

/** Blocks with one empty line between them; empty ones are left out. */
export function joinBlocks(blocks: readonly string[]): string {
  return blocks
    .map(block => block.replace(/[ \t]+$/gm, '').replace(/^\n+|\n+$/g, ''))
    .filter(block => block !== '')
    .join('\n\n')
}
