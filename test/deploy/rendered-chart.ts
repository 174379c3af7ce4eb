import { join } from 'node:path'
import { parseAllDocuments, stringify } from 'yaml'
import { root } from './deploy-files.ts'
import { runChecker, type Verdict } from './run-checker.ts'

export const chartFolder = join(root, 'deploy/helm/rialto')

/** The oldest Kubernetes that the chart is for. */
export const kubernetes = ['--kube-version', '1.25.0']

export interface Manifest {
  readonly kind: string
  readonly spec: never
  readonly data: Readonly<Record<string, string>>
}

/** What Helm makes of the chart with these values, by kind. @throws Error with Helm's words when it refuses */
export function renderChart(values: Readonly<Record<string, unknown>> = {}): ReadonlyMap<string, Manifest> {
  const { code, output } = askHelm(values)
  if (code !== 0) throw new Error(output)
  const manifests = parseAllDocuments(output).map(document => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS() as Manifest
  })
  return new Map(manifests.map(manifest => [manifest.kind, manifest]))
}

export function askHelm(values: Readonly<Record<string, unknown>>): Verdict {
  const parameters = ['template', 'shop', chartFolder, ...kubernetes, '--values', '-']
  return runChecker('helm', parameters, { input: stringify(values) })
}
