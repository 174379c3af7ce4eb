import { defineCommand } from 'citty'
import type { IndexedDocument, SearchIndex } from '../../domain/search/search-index.ts'
import { CommandError } from '../command-error.ts'
import { configArgument, jsonArgument } from '../common-arguments.ts'
import { print, printJson } from '../output.ts'
import { renderTable } from '../render-table.ts'
import { indexAddCommand } from './index-add.ts'

const pageSize = 1_000

const list = defineCommand({
  meta: { description: 'Lists the documents of the search index.' },
  args: { ...configArgument, ...jsonArgument },
  run: ({ args }) =>
    withIndex(args.config, async index => {
      const rows: IndexedDocument[] = []
      for (;;) {
        const page = await index.list(rows.at(-1)?.address ?? null, pageSize)
        rows.push(...page)
        if (page.length < pageSize) break
      }
      if (args.json === true) printJson(rows.map(encodeRow))
      else print(rows.length === 0 ? 'The index is empty: rialto index add.' : render(rows))
      return 0
    }),
})

const remove = defineCommand({
  meta: { description: 'Removes a document from the search index.' },
  args: {
    address: { type: 'positional', required: true, description: 'as `index list` shows it' },
    ...configArgument,
    ...jsonArgument,
  },
  run: ({ args }) =>
    withIndex(args.config, async index => {
      if (!(await index.remove(args.address)))
        throw new CommandError(`There is no document "${args.address}". rialto index list shows what there is.`)
      if (args.json === true) printJson({ address: args.address })
      else print(`${args.address} was removed.`)
      return 0
    }),
})

export const indexCommand = defineCommand({
  meta: { description: 'The embedded search index: documents that are found without anybody else.' },
  subCommands: { add: indexAddCommand, list, remove },
})

async function withIndex(
  configFile: string | undefined,
  task: (index: SearchIndex) => Promise<number>,
): Promise<number> {
  const { openInstallation, loadIndexing } = await import('../../app.ts')
  const { openIndex } = await loadIndexing()
  const { config } = await openInstallation({ configFile: configFile ?? null, discover: false, logTo: 'silent' })
  const index = await openIndex(config)
  try {
    return await task(index)
  } finally {
    await index.close()
  }
}

function encodeRow({ address, title, chunks, addedAtMs }: IndexedDocument) {
  return { address, title, chunks: Number(chunks), addedAt: new Date(Number(addedAtMs)).toISOString() }
}

function render(rows: readonly IndexedDocument[]): string {
  const cells = rows.map(encodeRow).map(({ address, title, chunks, addedAt }) => [address, title, `${chunks}`, addedAt])
  return renderTable([['ADDRESS', 'TITLE', 'PARTS', 'ADDED'], ...cells], { right: [2] })
}
