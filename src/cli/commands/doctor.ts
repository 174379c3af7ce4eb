import { defineCommand } from 'citty'
import type { Installation } from '../../app.ts'
import { configArgument, jsonArgument } from '../common-arguments.ts'
import { countOf } from '../count-of.ts'
import { type Check, failed, messageOf, passed } from '../doctor/check.ts'
import { checkClock } from '../doctor/check-clock.ts'
import { checkDataFolder } from '../doctor/check-data-folder.ts'
import { checkDocuments } from '../doctor/check-documents.ts'
import { checkEngine } from '../doctor/check-engine.ts'
import { checkRuntime } from '../doctor/check-runtime.ts'
import { checkAutoModel, checkSearch } from '../doctor/check-search.ts'
import { checkStore } from '../doctor/check-store.ts'
import { print, printJson, styled } from '../output.ts'
import type { Storage } from '../with-store.ts'

const enginesAtOnce = 8

/** Looks at everything that a gateway needs, and says how to mend what is wrong (operator.md §2). */
export const doctorCommand = defineCommand({
  meta: { description: 'Checks configuration, store, engines and clock, and says how to mend what is wrong.' },
  args: {
    search: { type: 'boolean', description: 'also ask the search providers whose searches may cost money, once each' },
    ...configArgument,
    ...jsonArgument,
  },
  async run({ args }) {
    const checks: Check[] = []
    for await (const check of examine(args.config ?? null, args.search === true)) {
      checks.push(check)
      if (args.json !== true) print(render(check))
    }
    const ok = checks.every(check => check.ok)
    if (args.json === true) printJson({ ok, checks })
    return ok ? 0 : 1
  },
})

function render({ name, ok, detail, mend }: Check): string {
  const mark = ok ? styled('green', 'ok  ') : styled('red', 'FAIL')
  return `${mark}  ${name}: ${detail}${mend === null ? '' : `\n      mend: ${mend}`}`
}

async function* examine(configFile: string | null, asksPaid: boolean): AsyncGenerator<Check> {
  const { documentWalls, openInstallation } = await import('../../app.ts')
  yield checkRuntime(process.versions.node)
  let installation: Installation
  try {
    installation = await openInstallation({ configFile, discover: true, logTo: 'silent' })
  } catch (error) {
    yield failed('config', messageOf(error), 'correct what is named; rialto init writes a file that works')
    return
  }
  yield passed('config', describeSource(installation))
  yield checkDataFolder(installation.dataFolder)
  yield* examineStore(installation)
  yield* examineEngines(installation)
  yield checkDocuments(installation.config.documents, await documentWalls(installation.config))
  yield* examineSearch(installation, asksPaid)
  yield* notYet()
}

function describeSource({ file, engineSource, config }: Installation): string {
  const counts = `${countOf(config.engines.length, 'engine')}, ${countOf(config.models.length, 'model')}`
  const sources = {
    file: 'engines of the file',
    environment: 'the engine of the environment',
    discovered: 'engines found on this machine',
    embedded: 'no engine found: the built-in test mode',
  }
  return `${file?.path ?? 'no file'}, ${sources[engineSource]} (${counts})`
}

async function* examineStore({ config, ground }: Installation): AsyncGenerator<Check> {
  const { openStore } = await import('../../app.ts')
  let storage: Storage
  try {
    storage = await openStore(config, ground, 'command')
  } catch (error) {
    yield failed('store', messageOf(error), 'correct store in the configuration, or the permissions of the data folder')
    return
  }
  try {
    yield* await checkStore(storage)
    yield await checkClock(storage, ground.clock.now())
  } catch (error) {
    yield failed('clock', messageOf(error), 'mend the store first')
  } finally {
    await storage.close()
  }
}

async function* examineEngines({ config, ground }: Installation): AsyncGenerator<Check> {
  const { createNodes } = await import('../../app.ts')
  const nodes = await createNodes(config, ground)
  try {
    for (let at = 0; at < nodes.length; at += enginesAtOnce) {
      const batch = nodes.slice(at, at + enginesAtOnce)
      yield* await Promise.all(batch.map(node => checkEngine(node, config.models, ground)))
    }
  } finally {
    await Promise.all(nodes.map(node => node.close()))
  }
}

async function* examineSearch({ config, ground }: Installation, asksPaid: boolean): AsyncGenerator<Check> {
  const { loadSearch } = await import('../../app.ts')
  const probes = await (await loadSearch()).openProviders(config, ground)
  yield passed('search', `asked in order: ${config.search.order.map(({ name }) => name).join(', ')}`)
  try {
    yield* await Promise.all(probes.map(probe => checkSearch(probe, asksPaid)))
    const { autoModel } = config.search
    if (autoModel !== null) yield checkAutoModel(autoModel, config.models)
  } finally {
    await Promise.all(probes.map(({ provider }) => provider.close()))
  }
}

/** What the file has room for and this version cannot do: saying so is better than looking as if it worked. */
function* notYet(): Generator<Check> {
  yield passed('payments', 'none: this version takes no payments by wallet')
}
