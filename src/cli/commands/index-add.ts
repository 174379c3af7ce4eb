import { defineCommand } from 'citty'
import type { Indexed } from '../../pipeline/index-documents.ts'
import { CommandError, UsageError } from '../command-error.ts'
import { configArgument, jsonArgument } from '../common-arguments.ts'
import { countOf } from '../count-of.ts'
import { note, print, printJson } from '../output.ts'

const sourcesMax = 1_000

/** Adds documents to the embedded index; a running gateway finds them at once. */
export const indexAddCommand = defineCommand({
  meta: { description: 'Adds files, folders and pages to the search index; what is there already is replaced.' },
  args: {
    source: { type: 'positional', required: true, valueHint: '…', description: 'files, folders and http(s) addresses' },
    base: {
      type: 'string',
      valueHint: 'URL',
      description: 'where the files can be read on the web; it stands before their names in sources',
    },
    ...configArgument,
    ...jsonArgument,
  },
  async run({ args }) {
    const sources = args._
    if (sources.length > sourcesMax) throw new UsageError(`At most ${sourcesMax} sources at a time.`)
    const base = args.base === undefined ? null : readBase(args.base)
    const { openInstallation, loadIndexing } = await import('../../app.ts')
    const { openIndexing, indexDocuments } = await loadIndexing()
    const { config, ground } = await openInstallation({
      configFile: args.config ?? null,
      discover: false,
      logTo: 'silent',
    })
    const indexing = await openIndexing(config, ground, sources)
    const done: Indexed[] = []
    try {
      for await (const one of indexDocuments(indexing, { sources, base }, new AbortController().signal)) {
        done.push(one)
        if ('problem' in one) note(`${one.address}: ${one.problem}`)
        else if (args.json !== true) print(`${one.address}: ${one.title} (${countOf(one.chunks, 'part')})`)
      }
    } catch (error) {
      throw new CommandError(error instanceof Error ? error.message : 'The index cannot be written.')
    } finally {
      await indexing.close()
    }
    if (args.json === true) printJson(done)
    return done.length > 0 && done.every(one => 'chunks' in one) ? 0 : 1
  },
})

function readBase(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError('--base must be an http or https address.')
  return text.endsWith('/') ? text : `${text}/`
}
