import { defineCommand } from 'citty'
import { fingerprintOf } from '../../config/own-sections.ts'
import { changeDocument, openContent } from '../../domain/replicas/change-document.ts'
import {
  type ConfigurationText,
  configurationDocument,
  decodeConfiguration,
  judgeOwn,
  publishOver,
} from '../../domain/replicas/published-configuration.ts'
import { CommandError } from '../command-error.ts'
import { configArgument, jsonArgument } from '../common-arguments.ts'
import { note, print, printJson } from '../output.ts'
import { type StoreContext, withStore } from '../with-store.ts'

const publish = defineCommand({
  meta: {
    description: 'Has every gateway on the store follow this file. A gateway does it by itself when its file changes.',
  },
  args: { ...configArgument, ...jsonArgument },
  run: ({ args }) =>
    withStore(args, async context => {
      requireSharing(context)
      const own = ownText(context)
      if (own === null) throw new CommandError('There is no configuration file to publish: name one with --config.')
      const isNew = await changeDocument(context.storage.documents, configurationDocument, found =>
        publishOver(found, own),
      )
      if (args.json === true) printJson({ published: isNew })
      else print(isNew ? 'Published: every gateway follows it within a second.' : 'This is what is published already.')
    }),
})

const show = defineCommand({
  meta: { description: 'Prints the configuration that the gateways on the store follow, as it was published.' },
  args: { ...configArgument, ...jsonArgument },
  run: ({ args }) =>
    withStore(args, async context => {
      requireSharing(context)
      const { documents } = await context.storage.documents.readSince(0)
      const found = documents.find(({ name }) => name === configurationDocument)
      if (found === undefined)
        throw new CommandError('Nothing was published yet: the first gateway that starts does it.')
      const published = decodeConfiguration(openContent(found))
      const own = ownText(context)
      const isOwn = own !== null && judgeOwn(published, own.fingerprint) === 'same'
      const changedAt = new Date(published.changedSeconds * 1_000).toISOString()
      if (args.json === true) printJson({ text: published.text, changedAt, isOwn })
      else print(published.text)
      note(`Written ${changedAt}. ${isOwn ? 'The file here says the same.' : 'The file here says something else.'}`)
      note('server, store, keys and metrics are of the gateway that published it; each takes its own.')
    }),
})

function requireSharing({ installation }: StoreContext): void {
  if (installation.config.store.kind === 'postgres') return
  throw new CommandError(
    'The store is a file of this machine: its gateway follows rialto.yaml itself, nothing is published.',
  )
}

function ownText({ installation }: StoreContext): ConfigurationText | null {
  const { file } = installation
  if (file === null) return null
  const { text, changedSeconds } = file
  return { text, changedSeconds, fingerprint: fingerprintOf(text) }
}

export const configCommand = defineCommand({
  meta: { description: 'Publishes and shows the configuration that several gateways follow.' },
  subCommands: { publish, show },
})
