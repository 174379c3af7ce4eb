export interface TableOptions {
  readonly indent?: string
  /** Columns whose cells stand on the right, such as amounts. */
  readonly right?: readonly number[]
}

const gap = '  '

/** Rows of cells as lines with aligned columns. Cells are plain text of one line. */
export function renderTable(rows: readonly (readonly string[])[], options: TableOptions = {}): string {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length)
    })
  }
  const padded = (cell: string, column: number): string =>
    options.right?.includes(column) === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  return rows.map(row => `${options.indent ?? ''}${row.map(padded).join(gap)}`.trimEnd()).join('\n')
}
