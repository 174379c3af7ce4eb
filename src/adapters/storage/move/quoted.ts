/** A name of the database's catalogue inside a statement, in either engine. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
