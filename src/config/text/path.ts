/** Where in a value something is: the keys and list positions that lead to it. */
export type Path = readonly (string | number)[]

/** A path as people write it: `models[0].served[1].engine`. */
export function formatPath(path: Path): string {
  let text = ''
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : `${text === '' ? '' : '.'}${step}`
  return text
}

/** A path as one text, for maps: different paths have different keys. */
export function pathKey(path: Path): string {
  return JSON.stringify(path)
}

/** What is at a path, or undefined. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }
  return value
}

/** A copy of a value in which only what is at a path is another; undefined removes the key. */
export function withValueAt(root: unknown, path: Path, replacement: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return replacement
  if (Array.isArray(root)) {
    return root.map((item: unknown, index) => (index === step ? withValueAt(item, rest, replacement) : item))
  }
  if (typeof root !== 'object' || root === null) return root
  const entries = Object.entries(root).map(([key, value]): [string, unknown] =>
    key === step ? [key, withValueAt(value, rest, replacement)] : [key, value],
  )
  return Object.fromEntries(entries.filter(([key, value]) => key !== step || value !== undefined))
}
