import { defineCommand } from 'citty'
import type { Installation } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { configArgument, jsonArgument } from '../common-arguments.ts'
import { countOf } from '../count-of.ts'
import { type Check, failed, messageOf, passed } from '../doctor/check.ts'
import { checkClock } from '../doctor/check-clock.ts'
import { checkDataFolder } from '../doctor/check-data-folder.ts'
import { checkEngine } from '../doctor/check-engine.ts'
import { checkRuntime } from '../doctor/check-runtime.ts'
import { checkStore } from '../doctor/check-store.ts'
import { print, printJson, styled } from '../output.ts'
import type { Storage } from '../with-store.ts'

const enginesAtOnce = 8

/** Looks at everything that a gateway needs, and says how to mend what is wrong (operator.md §2). */
export const doctorCommand = defineCommand({
  meta: { description: 'Checks configuration, store, engines and clock, and says how to mend what is wrong.' },
  args: { ...configArgument, ...jsonArgument },
  async run({ args }) {
    const checks: Check[] = []
    for await (const check of examine(args.config ?? null)) {
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

async function* examine(configFile: string | null): AsyncGenerator<Check> {
  const { openInstallation } = await import('../../app.ts')
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
  yield* notYet(installation.config)
}

function describeSource({ configFile, engineSource, config }: Installation): string {
  const counts = `${countOf(config.engines.length, 'engine')}, ${countOf(config.models.length, 'model')}`
  const sources = {
    file: 'engines of the file',
    environment: 'the engine of the environment',
    discovered: 'engines found on this machine',
    embedded: 'no engine found: the built-in test mode',
  }
  return `${configFile ?? 'no file'}, ${sources[engineSource]} (${counts})`
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
  const nodes = createNodes(config, ground)
  try {
    for (let at = 0; at < nodes.length; at += enginesAtOnce) {
      const batch = nodes.slice(at, at + enginesAtOnce)
      yield* await Promise.all(batch.map(node => checkEngine(node, config.models, ground)))
    }
  } finally {
    await Promise.all(nodes.map(node => node.close()))
  }
}

/** Sections of the file whose features come with later versions: saying so is better than looking as if they worked. */
function* notYet({ search, payments }: Config): Generator<Check> {
  yield passed('search', search === null ? 'not configured' : 'configured; takes effect in a later version')
  const { enabled } = payments.x402
  yield passed('payments', enabled ? 'configured; takes effect in a later version' : 'not configured')
}
