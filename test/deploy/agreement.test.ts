import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { constantOf, loadWith, readText, readYaml, root } from './deploy-files.ts'

/** What one file says and another has to know. */

/** The variables that only the files beside them read. */
const ofCompose = ['RIALTO_DB_PASSWORD', 'RIALTO_LISTEN', 'RIALTO_IMAGE']
/** What every rialto.yaml that comes with the product refers to. */
const storeVariable = 'RIALTO_STORE_URL'

const artefacts = [
  'Dockerfile',
  'compose.yaml',
  'deploy/compose/env.example',
  'deploy/systemd/rialto',
  'deploy/systemd/rialto.env.example',
  'deploy/systemd/rialto.service',
  'deploy/helm/rialto/templates/deployment.yaml',
]

describe('what is deployed agrees with the gateway', () => {
  test.each(artefacts)('in the variables that %s sets', path => {
    const read = readText('src/config/env.ts')
    const set = new Set(readText(path).match(/\b(?:RIALTO|OPENAI|ANTHROPIC|OTEL)_[A-Z_]+\b/g))
    const unknown = [...set].filter(name => !read.includes(`'${name}'`) && name !== storeVariable)
    expect(unknown.filter(name => !ofCompose.includes(name))).toEqual([])
  })

  test('in the variable of the store, which is an ordinary reference', () => {
    const files = ['deploy/compose/rialto/rialto.yaml', 'deploy/helm/rialto/templates/_config.tpl']
    for (const path of files) expect(readText(path), path).toMatch(/^store: \$\{RIALTO_STORE_URL\}$/m)
    expect(readText('docs/deploying.md')).toMatch(/`store: \$\{RIALTO_STORE_URL\}`/)
  })

  test('in the port', () => {
    const { port } = loadWith('', {}).server
    const places = {
      Dockerfile: `EXPOSE ${port}`,
      'compose.yaml': `http://127.0.0.1:${port}/health/ready`,
      'deploy/compose/rialto/rialto.yaml': `port: ${port}`,
      'deploy/compose/haproxy/haproxy.cfg': `gateway-1:${port}`,
      'deploy/helm/rialto/templates/_config.tpl': `port: ${port}`,
      'deploy/helm/rialto/templates/deployment.yaml': `containerPort: ${port}`,
    }
    for (const [path, text] of Object.entries(places)) expect(readText(path), path).toContain(text)
  })

  test('in the data folder', () => {
    const folder = '/var/lib/rialto'
    for (const path of ['Dockerfile', 'compose.yaml', 'deploy/helm/rialto/templates/deployment.yaml'])
      expect(readText(path), path).toContain(folder)
  })

  test('in how many connections of the database a process opens', () => {
    const each = connectionsOfProcess()
    const page = readText('docs/deploying.md')
    expect(page, 'docs/deploying.md, "PostgreSQL", `max_connections`').toContain(`a process opens up to ${each}.`)
    expect(readText('docs/sizing.md')).toContain(`${each} for each process`)
    const { command } = readYaml<{ services: { postgres: { command: string[] } } }>('compose.yaml').services.postgres
    const connectionsMax = Number(/max_connections=(\d+)/.exec(command.join(' '))?.[1])
    const processes = 2
    expect(connectionsMax).toBeGreaterThanOrEqual(processes * each + 10)
  })

  test('in how long its streams are', () => {
    const { streamTotalMs } = loadWith('engines: [{ id: a, baseUrl: "http://h/v1" }]', {}).engines[0]?.timeouts ?? {}
    const seconds = (streamTotalMs ?? 0) / 1_000
    const proxy = Number(/timeout server (\d+)s/.exec(readText('deploy/compose/haproxy/haproxy.cfg'))?.[1])
    expect(proxy).toBeGreaterThan(seconds)
    const ingress = Number(/proxy-read-timeout: "(\d+)"/.exec(readText('deploy/helm/rialto/values.yaml'))?.[1])
    expect(ingress).toBeGreaterThan(seconds)
  })

  test('in the bodies that it takes', () => {
    const mebibytes = constantOf('src/server/read-body.ts', 'bodyBytesMax') / 1_048_576
    const ingress = Number(/proxy-body-size: (\d+)m/.exec(readText('deploy/helm/rialto/values.yaml'))?.[1])
    expect(ingress).toBeGreaterThanOrEqual(mebibytes)
  })
})

/** The pools of a process, and the connection on which it listens. */
function connectionsOfProcess(): number {
  const folder = 'src/adapters/storage/postgres'
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  const sources = files.filter(name => name.endsWith('.ts')).map(name => readText(join(folder, name)))
  const pools = sources.flatMap(text => [...text.matchAll(/^const \w+Connections = (\d+)$/gm)])
  return pools.reduce((sum, [, connections]) => sum + Number(connections), 0) + 1
}
