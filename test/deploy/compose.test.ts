import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { isMissing } from '../support/missing.ts'
import { loadWith, longestStopSeconds, readText, root, stopMarginSeconds } from './deploy-files.ts'
import { runChecker, succeeds } from './run-checker.ts'

interface Service {
  readonly image: string
  readonly user?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly cap_add?: readonly string[]
  readonly privileged?: boolean
  readonly security_opt?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly networks?: readonly string[]
  readonly stop_grace_period: string
  readonly healthcheck?: { readonly test: readonly string[] }
}

const variables = {
  RIALTO_SECRET: 'a-secret-of-32-characters-or-more',
  RIALTO_ADMIN_TOKEN: 'an-operator-token-of-many-characters',
  RIALTO_DB_PASSWORD: 'a1b2c3d4',
}

const text = readText('compose.yaml')
const { services, networks } = parse(interpolate(text, variables), { merge: true }) as {
  services: Readonly<Record<string, Service>>
  networks: Readonly<Record<string, { internal?: boolean } | null>>
}
const all = Object.entries(services)
const gateways = all.filter(([name]) => name.startsWith('gateway-'))

const folder = mkdtempSync(join(tmpdir(), 'rialto-compose-'))
afterAll(() => rmSync(folder, { recursive: true }))

const hasDocker = succeeds('docker', ['compose', 'version'])
const hasReader = succeeds('compose-go', ['-help'])

/** Docker's plug-in where it is installed, else the library that it reads compose files with. */
describe.skipIf(isMissing(hasDocker || hasReader, 'neither docker compose nor compose-go is installed'))(
  'compose.yaml, to what Docker reads it with',
  () => {
    test('is a compose file', () => {
      const verdict = check(text)
      expect(verdict, verdict.output).toMatchObject({ code: 0 })
    })

    test('would be refused with a key that compose does not know', () => {
      expect(check(text.replace('    stop_signal:', '    stop_signl:')).code).not.toBe(0)
    })
  },
)

function check(composeText: string) {
  const file = join(folder, 'compose.yaml')
  writeFileSync(file, interpolate(composeText, variables))
  return hasDocker
    ? runChecker('docker', ['compose', '--project-directory', root, '--file', file, 'config', '--quiet'])
    : runChecker('compose-go', [file])
}

describe('compose.yaml', () => {
  test('runs two gateways on one PostgreSQL, each with a data folder of its own', () => {
    expect(gateways).toHaveLength(2)
    const folders = gateways.map(([, { volumes }]) => volumes?.find(volume => volume.endsWith(':/var/lib/rialto')))
    expect(new Set(folders).size).toBe(2)
    const stores = gateways.map(([, { environment }]) => environment?.['RIALTO_STORE_URL'])
    expect(stores).toEqual(Array(2).fill('postgres://rialto:a1b2c3d4@postgres:5432/rialto'))
  })

  test.each(all)('gives %s no right that it can do without', (_, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    expect(service.cap_add).toBeUndefined()
    expect(service.privileged).toBeUndefined()
  })

  test('runs nothing as root', () => {
    const users = Object.fromEntries(all.map(([name, { user }]) => [name, user]))
    // The image of the proxy names its own user.
    expect(users).toEqual({
      'gateway-1': '1000:1000',
      'gateway-2': '1000:1000',
      proxy: undefined,
      postgres: 'postgres',
    })
  })

  test.each(['gateway-1', 'gateway-2', 'proxy'])('lets %s end its streams', name => {
    const seconds = Number(/^(\d+)s$/.exec(services[name]?.stop_grace_period ?? '')?.[1])
    expect(seconds).toBeGreaterThanOrEqual(longestStopSeconds() + stopMarginSeconds)
  })

  test('asks gateways whether they are ready, and the program for it is one', () => {
    for (const [name, { healthcheck }] of gateways) {
      const [kind, program, flag, script = ''] = healthcheck?.test ?? []
      expect([kind, program, flag], name).toEqual(['CMD', 'node', '--eval'])
      expect(script).toContain('http://127.0.0.1:8402/health/ready')
      expect(runChecker(process.execPath, ['--check', '-'], { input: script })).toMatchObject({ code: 0 })
    }
  })

  test('holds no secret, and does not start without them', () => {
    for (const name of Object.keys(variables)) {
      expect(text).toContain(`\${${name}:?`)
      expect(readText('deploy/compose/env.example')).toMatch(new RegExp(`^${name}=$`, 'm'))
    }
    const named = /^ *\w*(?:SECRET|TOKEN|PASSWORD)\w*: (.*)$/gm
    const written = [...text.matchAll(named)].map(([, value = '']) => value)
    expect(written.filter(value => !/^\$\{\w+:\?.*\}$/.test(value))).toEqual([])
    expect(written).toHaveLength(Object.keys(variables).length)
  })

  test('keeps the database to the gateways', () => {
    expect(networks['store']).toEqual({ internal: true })
    expect(services['postgres']).toMatchObject({ networks: ['store'] })
    expect(services['postgres']).not.toHaveProperty('ports')
    expect(services['proxy']?.networks).toEqual(['public'])
  })

  test('gives the gateways a configuration that they take', () => {
    const environment = gateways[0]?.[1].environment ?? {}
    const config = loadWith(readText('deploy/compose/rialto/rialto.yaml'), environment)
    expect(config.server).toMatchObject({ host: '0.0.0.0', port: 8402 })
    expect(config.store).toMatchObject({ kind: 'postgres' })
  })

  test('gives the gateways a configuration whose example of an engine is one', () => {
    const example = readText('deploy/compose/rialto/rialto.yaml').replaceAll(/^# ?(?=(engines|models| {2}).*)/gm, '')
    const { engines, models } = loadWith(example, { RIALTO_STORE_URL: 'postgres://a:b@c:5432/d' })
    expect(engines.map(({ id }) => id)).toEqual(['gpu-a'])
    expect(models.map(({ id }) => id)).toEqual(['venym/qwen-27b'])
  })
})

/** As Docker does with `${NAME:-default}` and `${NAME:?message}`. @throws Error for a required variable that is missing */
function interpolate(composeText: string, values: Readonly<Record<string, string>>): string {
  return composeText.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, sign: string, rest: string) => {
    const value = values[name]
    if (value === undefined && sign === '?') throw new Error(`${name}: ${rest}`)
    return value ?? rest
  })
}
