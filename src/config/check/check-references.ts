import { z } from 'zod'
import { suggest } from '../../lib/edit-distance.ts'
import type { Path } from '../text/path.ts'
import type { Finding } from './describe-issue.ts'

/** Reads only names, and takes anything else as absent: so that these checks run whatever else is wrong. */
const name = z.string().optional().catch(undefined)
const names = z.array(name).catch([])
const namesView = z
  .object({
    engines: z.array(z.object({ id: name }).catch({ id: undefined })).catch([]),
    models: z
      .array(
        z
          .object({
            id: name,
            served: z.array(z.object({ engine: name }).catch({ engine: undefined })).catch([]),
            traits: names,
            compatibility: names,
            deprecation: z.object({ successor: name }).catch({ successor: undefined }),
          })
          .catch({ id: undefined, served: [], traits: [], compatibility: [], deprecation: { successor: undefined } }),
      )
      .catch([]),
    search: z.object({ autoModel: name }).catch({ autoModel: undefined }),
  })
  .catch({ engines: [], models: [], search: { autoModel: undefined } })

interface Named {
  readonly name: string | undefined
  readonly path: Path
}

/**
 * What engines and models say about each other: names are unique, and whoever is named exists. A file without models has
 * those of the engines that are found, which nobody knows yet.
 */
export function checkReferences(root: unknown): readonly Finding[] {
  const { engines, models, search } = namesView.parse(root)
  const engineIds = engines.map(({ id }, index): Named => ({ name: id, path: ['engines', index, 'id'] }))
  const modelIds = models.map(({ id }, index): Named => ({ name: id, path: ['models', index, 'id'] }))
  const lists = (key: 'traits' | 'compatibility') =>
    models.flatMap((model, index) => model[key].map((name, at): Named => ({ name, path: ['models', index, key, at] })))
  const served = models.flatMap(({ served }, index) =>
    served.map(({ engine }, at): Named => ({ name: engine, path: ['models', index, 'served', at, 'engine'] })),
  )
  const successors = models.map(
    ({ deprecation }, index): Named => ({
      name: deprecation.successor,
      path: ['models', index, 'deprecation', 'successor'],
    }),
  )
  const autoModel: Named = { name: search.autoModel || undefined, path: ['search', 'autoModel'] }
  return [
    ...findRepeated(engineIds, 'is the id of an engine above'),
    ...findRepeated([...modelIds, ...lists('compatibility')], 'is taken: another model answers to this name'),
    ...findRepeated(lists('traits'), 'is the role of a model above'),
    ...findUnknown(served, engineIds, 'names an engine that is not configured'),
    ...findUnknown(successors, modelIds, 'names a model that is not configured'),
    ...(models.length === 0 ? [] : findUnknown([autoModel], modelIds, 'names a model that is not configured')),
  ]
}

function findRepeated(all: readonly Named[], message: string): readonly Finding[] {
  const seen = new Set<string>()
  const findings: Finding[] = []
  for (const { name, path } of all) {
    if (name === undefined) continue
    if (seen.has(name)) findings.push({ path, message, suggestion: null })
    seen.add(name)
  }
  return findings
}

function findUnknown(all: readonly Named[], known: readonly Named[], message: string): readonly Finding[] {
  const knownNames = known.flatMap(({ name }) => (name === undefined ? [] : [name]))
  const knownSet = new Set(knownNames)
  return all.flatMap(({ name, path }) =>
    name === undefined || knownSet.has(name) ? [] : [{ path, message, suggestion: suggest(name, knownNames) }],
  )
}
