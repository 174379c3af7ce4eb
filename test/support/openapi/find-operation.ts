import type { OpenApiDocument } from './schema-judge.ts'

export interface FoundOperation {
  /** The path as the document writes it. */
  readonly path: string
  readonly method: string
  /** Null where the path is known and this method is not. */
  readonly operation: OpenApiDocument['paths'][string][string] | null
}

/** What the document says of an address. Where no path fits, the last variable of one may hold slashes, as model ids do. */
export function findOperation(document: OpenApiDocument, method: string, address: string): FoundOperation | null {
  const [asked = ''] = address.split('?', 1)
  const paths = Object.keys(document.paths).sort((left, right) => variablesOf(left) - variablesOf(right))
  const path = paths.find(candidate => fits(asked, candidate)) ?? paths.find(candidate => fits(asked, candidate, '.+'))
  if (path === undefined) return null
  const name = method.toLowerCase()
  return { path, method: name, operation: document.paths[path]?.[name] ?? null }
}

function variablesOf(path: string): number {
  return path.split('{').length
}

function fits(asked: string, path: string, last = '[^/]+'): boolean {
  const pattern = path.replace(/\{\w+\}$/, last).replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}/?$`).test(asked)
}
