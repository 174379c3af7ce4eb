import { defineCommand } from 'citty'
import type { MoveReport } from '../../app.ts'
import { armFailpoint } from '../../lib/failpoint.ts'
import { configArgument, jsonArgument } from '../common-arguments.ts'
import { countOf } from '../count-of.ts'
import { explainUnavailable } from '../migrate/explain-unavailable.ts'
import { findPlaces, placesArguments } from '../migrate/move-places.ts'
import { createProgressNotes } from '../migrate/note-progress.ts'
import { note, print, printJson } from '../output.ts'
import { parseCount } from '../parse-values.ts'

const waitSecondsDefault = 300
const waitSecondsMax = 86_400

export const migrateSqliteToPostgres = defineCommand({
  meta: { description: 'Moves a deployment into PostgreSQL; the gateway is stopped for the last step only.' },
  args: {
    ...placesArguments,
    wait: {
      type: 'string',
      valueHint: 'SECONDS',
      description: `how long to wait for the gateway to be stopped; default: ${waitSecondsDefault}`,
    },
    'dry-run': { type: 'boolean', description: 'check everything and change nothing' },
    ...configArgument,
    ...jsonArgument,
  },
  async run({ args }) {
    const waitSeconds =
      args.wait === undefined ? waitSecondsDefault : parseCount('--wait', args.wait, { min: 0, max: waitSecondsMax })
    const dryRun = args['dry-run'] === true
    const { openInstallation, loadMove } = await import('../../app.ts')
    const installation = await openInstallation({ configFile: args.config ?? null, discover: false, logTo: 'silent' })
    const { ground, environment } = installation
    const order = {
      ...findPlaces(args, installation),
      waitMs: waitSeconds * 1_000,
      dryRun,
      report: createProgressNotes(ground.clock),
    }
    const { moveDeployment, BooksDiffer } = await loadMove()
    armFailpoint(environment.failpoint)
    try {
      const report = await moveDeployment(order, ground)
      if (args.json === true) printJson({ ok: true, dryRun, ...report, problems: [] })
      else print(renderReport(report, order))
      return 0
    } catch (error) {
      if (!(error instanceof BooksDiffer)) throw explainUnavailable(error)
      if (args.json === true) printJson({ ok: false, dryRun, problems: error.problems })
      else for (const problem of error.problems) print(`problem: ${problem}`)
      note(`rialto: ${error.message}.`)
      return 1
    }
  },
})

function renderReport(
  report: MoveReport,
  { dryRun, path }: { readonly dryRun: boolean; readonly path: string },
): string {
  const counts = [
    countOf(report.accounts, 'account'),
    countOf(report.apiKeys, 'key'),
    countOf(report.transfers, 'transfer'),
    countOf(report.usageRecords, 'usage record'),
    countOf(report.holdsOpen, 'open hold'),
    countOf(report.idempotencyKeys, 'idempotency key'),
    countOf(report.documents, 'indexed document'),
  ].join(', ')
  if (dryRun) return `Everything can be moved: ${counts}. The books agree; nothing was changed.`
  return [
    `Moved: ${counts}, in ${report.seconds} s, of which the gateway was stopped for ${report.downtimeSeconds} s.`,
    'The books of both stores agree, and with each other.',
    'Now set store in rialto.yaml to the address of the database, with the same RIALTO_SECRET or secret.key, and start the gateway.',
    `${path} is marked as left, so that no gateway starts on it by mistake. Keep it until you trust the new store.`,
  ].join('\n')
}
