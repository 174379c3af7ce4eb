import { defineCommand } from 'citty'
import { configArgument, jsonArgument } from '../common-arguments.ts'
import { explainUnavailable } from '../migrate/explain-unavailable.ts'
import { findPlaces, placesArguments } from '../migrate/move-places.ts'
import { print, printJson } from '../output.ts'

export const migrateUndo = defineCommand({
  meta: { description: 'Goes back to the SQLite store that a deployment was moved from.' },
  args: {
    ...placesArguments,
    discard: {
      type: 'boolean',
      description: 'also when that loses what PostgreSQL booked since, or when it cannot be reached',
    },
    ...configArgument,
    ...jsonArgument,
  },
  async run({ args }) {
    const { openInstallation, loadMove } = await import('../../app.ts')
    const installation = await openInstallation({ configFile: args.config ?? null, discover: false, logTo: 'silent' })
    const places = findPlaces(args, installation)
    const { undoDeploymentMove } = await loadMove()
    try {
      await undoDeploymentMove({ ...places, discard: args.discard === true }, installation.ground)
    } catch (error) {
      throw explainUnavailable(error)
    }
    if (args.json === true) printJson({ ok: true, store: `sqlite:${places.path}` })
    else print(`The gateway may be started on sqlite:${places.path} again. The database in PostgreSQL can be dropped.`)
  },
})
