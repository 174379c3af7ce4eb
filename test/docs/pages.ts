import { fileURLToPath } from 'node:url'
import { readPage } from './markdown.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The pages of docs whose blocks run, in reading order. */
const names = [
  'README',
  'keys',
  'clients',
  'models',
  'chat',
  'documents',
  'tools',
  'streaming',
  'errors',
  'billing',
  'currencies',
  'test-mode',
  'venice',
  'venice-chat',
  'venice-models',
  'venice-keys',
  'venice-billing',
  'venice-characters',
  'venice-errors',
  'operating',
  'engines',
  'web-search',
  'cli',
]

/** The same, and the first thing that anybody reads. */
export const examplePages = [
  { ...readPage(`${root}README.md`), name: 'front page' },
  ...names.map(name => readPage(`${root}docs/${name}.md`)),
]

export function pageNamed(name: string) {
  const page = examplePages.find(candidate => candidate.name === `${name}.md`)
  if (page === undefined) throw new Error(`there is no page ${name}`)
  return page
}
