import { describe, expect, test } from 'vitest'
import { isMissing } from '../support/missing.ts'
import { loadWith, longestStopSeconds, readYaml } from './deploy-files.ts'
import { askHelm, chartFolder, kubernetes, type Manifest, renderChart } from './rendered-chart.ts'
import { runChecker, succeeds } from './run-checker.ts'

const hasHelm = succeeds('helm', ['version'])

const storeUrl = 'postgres://rialto:a1b2c3d4@db:5432/rialto'

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}

interface Container {
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[]
  readonly lifecycle?: unknown
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
  readonly startupProbe: Probe
  readonly securityContext: unknown
}

interface PodSpec {
  readonly terminationGracePeriodSeconds: number
  readonly securityContext: unknown
  readonly automountServiceAccountToken: boolean
  readonly containers: readonly [Container]
}

interface DeploymentSpec {
  readonly replicas?: number
  readonly strategy: unknown
  readonly selector: { readonly matchLabels: object }
  readonly template: {
    readonly metadata: { readonly labels: object; readonly annotations: Readonly<Record<string, string>> }
    readonly spec: PodSpec
  }
}

describe.skipIf(isMissing(hasHelm, 'Helm is not installed'))('the chart, rendered by Helm', () => {
  const plain = hasHelm ? renderChart() : new Map<string, Manifest>()
  const full = hasHelm ? renderChart(readYaml('test/deploy/every-part.yaml')) : plain

  test('passes Helm’s lint', () => {
    const verdict = runChecker('helm', ['lint', '--strict', ...kubernetes, chartFolder])
    expect(verdict, verdict.output).toMatchObject({ code: 0 })
  })

  test('makes what a gateway needs, and the rest when it is asked for', () => {
    expect([...plain.keys()].sort()).toEqual(['ConfigMap', 'Deployment', 'PodDisruptionBudget', 'Service'])
    const rest = ['HorizontalPodAutoscaler', 'Ingress', 'NetworkPolicy', 'ServiceMonitor']
    expect([...full.keys()].filter(kind => !plain.has(kind)).sort()).toEqual(rest)
  })

  test('replaces a gateway only when another is ready, and lets its streams end', () => {
    const { replicas, strategy, template } = deployment(plain)
    expect(replicas).toBe(2)
    expect(strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } })
    const pause = 5
    expect(template.spec.containers[0].lifecycle).toEqual({ preStop: { exec: { command: ['sleep', `${pause}`] } } })
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(longestStopSeconds() + pause + 20)
  })

  test('grants a longer pause before the end on top of the time for streams', () => {
    const grace = (seconds: number) => podOf(renderChart({ preStopSeconds: seconds })).terminationGracePeriodSeconds
    expect(grace(30) - grace(0)).toBe(30)
    expect(podOf(renderChart({ preStopSeconds: 0 })).containers[0].lifecycle).toBeUndefined()
  })

  test('restarts a gateway that is dead, and sends nothing to one that is not ready', () => {
    const [{ livenessProbe, readinessProbe, startupProbe }] = podOf(plain).containers
    expect(livenessProbe.httpGet).toEqual({ path: '/health/live', port: 'http' })
    expect(startupProbe.httpGet).toEqual({ path: '/health/live', port: 'http' })
    expect(readinessProbe.httpGet).toEqual({ path: '/health/ready', port: 'http' })
  })

  test('gives a gateway no right that it can do without', () => {
    const pod = podOf(plain)
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(pod.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  test('takes secrets from a Secret, and has none of its own', () => {
    const secrets = podOf(plain).containers[0].env.filter(({ valueFrom }) => valueFrom !== undefined)
    expect(secrets.map(({ name }) => name)).toEqual(['RIALTO_SECRET', 'RIALTO_STORE_URL', 'RIALTO_ADMIN_TOKEN'])
    expect(podOf(plain).containers[0].env.filter(({ value }) => value !== undefined)).toEqual([
      { name: 'RIALTO_LOG_LEVEL', value: 'info' },
    ])
    expect(plain.has('Secret')).toBe(false)
  })

  test('writes a configuration that the gateway takes', () => {
    const { server, store, metrics, limits, engines } = configOf(full, { GPU_A_KEY: 'a-key' })
    expect(server).toMatchObject({ host: '0.0.0.0', port: 8402, publicUrl: 'https://api.example.com' })
    expect(server.trustProxy).toHaveLength(1)
    expect(store).toMatchObject({ kind: 'postgres' })
    expect(metrics).toEqual({ listen: { host: '0.0.0.0', port: 9402 } })
    expect(limits.tiers.M.tokensPerMinute).toBe(1_000_000)
    expect(engines.map(({ id }) => id)).toEqual(['gpu-a'])
    expect(configOf(plain, {}).metrics.listen).toBeNull()
  })

  test('runs several processes where that is asked for', () => {
    const serve = ['serve', '--config', '/etc/rialto/rialto.yaml']
    expect(podOf(plain).containers[0].args).toEqual(serve)
    expect(podOf(full).containers[0].args).toEqual([...serve, '--workers', '4'])
  })

  test('restarts gateways for settings that need it, and leaves the others to the running ones', () => {
    const markOf = (values: object) =>
      deployment(renderChart({ ...values })).template.metadata.annotations['rialto/restart-settings']
    const mark = markOf({})
    expect(markOf({ config: { limits: { overdraftUsd: 1 } } })).toBe(mark)
    expect(markOf({ config: { keys: { prefix: 'sk-' } } })).not.toBe(mark)
    expect(markOf({ metrics: { enabled: true } })).not.toBe(mark)
  })

  test('selects what it makes, and leaves their number to the autoscaler where there is one', () => {
    const { selector, template, replicas } = deployment(full)
    expect(template.metadata.labels).toMatchObject(selector.matchLabels)
    expect(full.get('Service')?.spec).toMatchObject({ selector: selector.matchLabels })
    expect(full.get('PodDisruptionBudget')?.spec).toMatchObject({ selector })
    expect(replicas).toBeUndefined()
  })

  test.each([
    ['a value that there is not', { replica: 3 }],
    ['a number that is text', { replicas: 'two' }],
    ['no worker', { workers: 0 }],
    ['a store in the configuration, which would be readable by everybody', { config: { store: storeUrl } }],
    ['a level of the log that there is not', { logLevel: 'trace' }],
  ])('refuses %s', (_, values) => {
    expect(askHelm(values)).toMatchObject({ code: 1, output: expect.stringContaining('schema') })
  })
})

function deployment(manifests: ReadonlyMap<string, Manifest>): DeploymentSpec {
  return manifests.get('Deployment')?.spec as unknown as DeploymentSpec
}

function podOf(manifests: ReadonlyMap<string, Manifest>): PodSpec {
  return deployment(manifests).template.spec
}

function configOf(manifests: ReadonlyMap<string, Manifest>, variables: Readonly<Record<string, string>>) {
  const text = manifests.get('ConfigMap')?.data['rialto.yaml'] ?? ''
  return loadWith(text, { RIALTO_STORE_URL: storeUrl, ...variables })
}
