import { fileURLToPath } from 'node:url'
import { readPage } from './markdown.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The pages whose blocks run, in reading order. */
export const examplePages = [
  'README',
  'keys',
  'clients',
  'models',
  'chat',
  'tools',
  'streaming',
  'errors',
  'billing',
  'test-mode',
  'operating',
  'cli',
].map(name => readPage(`${root}docs/${name}.md`))

export function pageNamed(name: string) {
  const page = examplePages.find(candidate => candidate.name === `${name}.md`)
  if (page === undefined) throw new Error(`there is no page ${name}`)
  return page
}
