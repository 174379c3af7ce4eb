import { defineCommand } from 'citty'
import type { Engine } from '../../domain/engines/engine.ts'
import { lastingTimeout } from '../../lib/lasting-timeout.ts'
import { configArgument, jsonArgument } from '../common-arguments.ts'
import { note, print, printJson } from '../output.ts'
import { renderTable } from '../render-table.ts'

const probeMs = 5_000

/** A node as `--json` prints it (operator.md §6). What a running gateway does with it cannot be seen from here. */
interface EngineRow {
  readonly id: string
  readonly kind: string
  readonly baseUrl: string
  readonly state: 'healthy' | 'unhealthy'
  readonly inFlight: null
  readonly lastError: string | null
}

/** Asks every node for a sign of life, from this process. */
export const enginesCommand = defineCommand({
  meta: { description: 'Lists the engines, each asked now for a sign of life.' },
  args: { ...configArgument, ...jsonArgument },
  async run({ args }) {
    const { openInstallation, createNodes } = await import('../../app.ts')
    const { config, ground } = await openInstallation({
      configFile: args.config ?? null,
      discover: true,
      logTo: 'silent',
    })
    const nodes = await createNodes(config, ground)
    const rows = await Promise.all(nodes.map(probe))
    await Promise.all(nodes.map(node => node.close()))
    if (args.json === true) printJson(rows)
    else print(rows.length === 0 ? 'No engines are configured.' : render(rows))
    note('Asked from here, just now; what a running gateway knows of them is on its /metrics page.')
  },
})

async function probe(engine: Engine): Promise<EngineRow> {
  const { id, kind, baseUrl } = engine
  const lastError = await engine.probe(lastingTimeout(probeMs)).then(
    () => null,
    (error: Error) => error.message,
  )
  return { id, kind, baseUrl, state: lastError === null ? 'healthy' : 'unhealthy', inFlight: null, lastError }
}

function render(rows: readonly EngineRow[]): string {
  const head = ['ENGINE', 'KIND', 'STATE', 'ADDRESS', 'ERROR']
  return renderTable([head, ...rows.map(row => [row.id, row.kind, row.state, row.baseUrl, row.lastError ?? ''])])
}
