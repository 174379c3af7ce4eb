import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const source = join(root, 'src')

interface SourceFile {
  readonly path: string
  readonly layer: string
  readonly text: string
  readonly imports: readonly { readonly specifier: string; readonly typeOnly: boolean }[]
}

/** What each folder may import, besides itself. ARCHITECTURE.md says why. */
const layers: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  core: ['lib'],
  domain: ['core', 'lib'],
  dialects: ['core', 'lib'],
  pipeline: ['domain', 'core', 'lib'],
  adapters: ['domain', 'core', 'lib'],
  server: ['dialects', 'pipeline', 'domain', 'core', 'lib'],
  config: ['core', 'lib'],
  cli: ['app.ts', 'config', 'dialects', 'pipeline', 'domain', 'core', 'lib'],
  app: ['config', 'adapters', 'server', 'dialects', 'pipeline', 'domain', 'core', 'lib'],
  'app.ts': ['app', 'config', 'adapters', 'server', 'dialects', 'pipeline', 'domain', 'core', 'lib'],
  'main.ts': ['app.ts', 'cli', 'config', 'adapters', 'server', 'pipeline', 'domain', 'core', 'lib'],
}

/** Packages that do I/O or frameworks, and the only folders that may hold them. */
const packageHomes: Readonly<Record<string, readonly string[]>> = {
  fastify: ['server'],
  undici: ['adapters'],
  libsql: ['adapters'],
  kysely: ['adapters'],
  pino: ['adapters'],
  'prom-client': ['adapters'],
  citty: ['cli', 'main.ts'],
  '@clack/prompts': ['cli'],
  zod: ['config', 'dialects', 'adapters'],
  yaml: ['config'],
}

/** Packages that read what callers send, which may take memory, time or control: they are loaded by children that are cut off. */
const isolatedPackages =
  /^(@hyzyla\/pdfium|mammoth|@e965\/xlsx|yauzl|saxes|htmlparser2|linkedom|@mozilla\/readability|sharp|libheif-js)($|\/)/
const isolatedHome = 'adapters/documents/child/'

const inputOutput = /^node:(fs|net|http|https|child_process|worker_threads|dns|tls|dgram|readline)/
const purePlaces = ['lib', 'core', 'domain', 'dialects', 'pipeline']

interface Ban {
  readonly pattern: RegExp
  readonly allowed: readonly string[]
  readonly reason: string
}

const bans: readonly Ban[] = [
  {
    pattern: /\bveny?m\b|\bvenice\b/i,
    allowed: ['dialects/', 'server/v1/', 'server/api-v1/', 'config/'],
    reason: 'the core is dialect-blind: brand words live in dialects, their route folders and config',
  },
  { pattern: /process\.env/, allowed: ['config/env.ts'], reason: 'one reader of the environment' },
  {
    pattern: /Date\.now\(|new Date\(\)|performance\.now\(/,
    allowed: ['adapters/system/'],
    reason: 'time is a port, so that tests can move it',
  },
  { pattern: /Math\.random\(|randomUUID\(|randomBytes\(/, allowed: ['adapters/system/'], reason: 'chance is a port' },
  { pattern: /(?<![.\w])fetch\(/, allowed: ['adapters/http/'], reason: 'one place dials out' },
  {
    pattern: /JSON\.parse\(/,
    allowed: ['lib/json.ts', 'lib/json-scan.ts'],
    reason: 'untrusted text is parsed within bounds',
  },
  {
    pattern: /AbortSignal\.timeout\(/,
    allowed: ['lib/lasting-timeout.ts'],
    reason: 'a timeout must come whoever holds it',
  },
  { pattern: /\bconsole\./, allowed: [], reason: 'the logger redacts, the console does not' },
  {
    pattern: /process\.exit\(/,
    allowed: ['main.ts', 'cli/'],
    reason: 'only a process may end itself, after its telemetry is out',
  },
]

/** Contracts are cited by page, and pages have the surfaces' names; a citation is no dependence. */
const citation = /\b(venym|venice|money|operator|x402|reliability|performance)\.md\b/gi

function readSources(): readonly SourceFile[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map(path => {
      const text = readFileSync(join(source, path), 'utf8')
      return { path, layer: path.split('/')[0] ?? path, text, imports: readImports(text) }
    })
}

function readImports(text: string): SourceFile['imports'] {
  const statements = text.matchAll(
    /(?:^|\n)(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s+'([^']+)'/g,
  )
  return [...statements].map(match => ({
    specifier: match[2] ?? match[3] ?? match[4] ?? '',
    typeOnly: match[1] !== undefined,
  }))
}

const sources = readSources()

function localImports(file: SourceFile) {
  return file.imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(entry => ({ ...entry, target: relative(source, resolve(source, dirname(file.path), entry.specifier)) }))
}

describe('the layers', () => {
  it('import only what stands below them', () => {
    const broken = sources.flatMap(file =>
      localImports(file)
        .filter(({ target }) => {
          const layer = target.split('/')[0] ?? target
          return layer !== file.layer && !(layers[file.layer] ?? []).includes(layer)
        })
        .map(({ target }) => `${file.path} imports ${target}`),
    )
    expect(broken).toEqual([])
  })

  it('keep domain modules apart: another module gives types only, from its types.ts', () => {
    const broken = sources
      .filter(file => file.layer === 'domain')
      .flatMap(file =>
        localImports(file)
          .filter(({ target, typeOnly }) => {
            const [layer, module] = target.split('/')
            const own = file.path.split('/')[1]
            return layer === 'domain' && module !== own && !(typeOnly && target === `domain/${module}/types.ts`)
          })
          .map(({ target }) => `${file.path} imports ${target}: domain modules do not call each other`),
      )
    expect(broken).toEqual([])
  })

  it('keep adapters apart: only the outbound transport is shared', () => {
    const broken = sources
      .filter(file => file.layer === 'adapters')
      .flatMap(file =>
        localImports(file)
          .filter(({ target }) => {
            const [layer, adapter] = target.split('/')
            return layer === 'adapters' && adapter !== file.path.split('/')[1] && adapter !== 'http'
          })
          .map(({ target }) => `${file.path} imports ${target}`),
      )
    expect(broken).toEqual([])
  })

  it('keep I/O and frameworks at the edges', () => {
    const broken = sources.flatMap(file =>
      file.imports
        .filter(({ specifier, typeOnly }) => !typeOnly && !specifier.startsWith('.'))
        .filter(({ specifier }) => {
          const home = packageHomes[specifier] ?? packageHomes[specifier.split('/').slice(0, 2).join('/')]
          const homeless = home !== undefined && !home.includes(file.layer)
          return homeless || (inputOutput.test(specifier) && purePlaces.includes(file.layer))
        })
        .map(({ specifier }) => `${file.path} imports ${specifier}`),
    )
    expect(broken).toEqual([])
  })
})

/**
 * Every file that can open a connection, and where its address comes from. What a caller, a page or a document names is
 * dialled in `adapters/outbound` alone.
 */
const dialling: Readonly<Record<string, string>> = {
  'adapters/outbound/ask-host.ts': 'anywhere, through the guarded connector',
  'adapters/outbound/dial-socket.ts': 'an address that the guarded connector has judged',
  'adapters/outbound/resolve-host.ts': 'the name servers of this machine',
  'adapters/http/connect-socket.ts': 'an engine of the configuration',
  'adapters/http/node-connections.ts': 'an engine of the configuration',
  'adapters/http/gateway-client.ts': 'the operator, on the command line',
  'adapters/engines/discover-engines.ts': 'loopback ports and the environment',
  'adapters/cluster/reserve-port.ts': 'the configuration; it listens',
  'adapters/search/index/postgres/postgres-index.ts': 'the store of the configuration',
  'adapters/search/provider-line.ts': 'a search provider of the configuration',
  'adapters/wallets/staked-balance.ts': 'a node of a chain, of the configuration',
  'adapters/storage/postgres/changes/listener.ts': 'the store of the configuration',
  'adapters/storage/postgres/postgres-pool.ts': 'the store of the configuration',
}
/** Packages and modules whose values connect. Types, errors and pure functions of them do not. */
const connectors = /^(?:undici|pg|(?:node:)?(?:net|tls|https?|http2|dgram|dns)(?:\/promises)?)$/
const harmless = /^(?:type .*|isIP|isIPv[46]|errors|STATUS_CODES|Dispatcher)$/

describe('connections', () => {
  it('are opened in listed files only, whose addresses come from the operator or are judged', () => {
    const found = sources
      .filter(file => file.layer !== 'server')
      .filter(file => connectingImports(file.text).length > 0)
      .map(file => file.path)
    expect(found.sort()).toEqual(Object.keys(dialling).sort())
  })

  it('that nothing judges are not made with what the guard is made of', () => {
    const users = sources.filter(file =>
      localImports(file).some(({ target }) => /^adapters\/outbound\/(ask-host|dial-socket|resolve-host)/.test(target)),
    )
    expect(users.map(({ path }) => path).filter(path => !path.startsWith('adapters/outbound/'))).toEqual([])
  })

  it('are seen by this test', () => {
    expect(connectingImports("import { type Socket, connect } from 'node:net'\n")).toEqual(['connect'])
    expect(connectingImports("import { isIP, type Socket } from 'node:net'\n")).toEqual([])
    expect(connectingImports("import pg from 'pg'\n")).toEqual(['pg'])
    expect(connectingImports("const { request } = await import('undici')\n")).toEqual(['undici'])
  })
})

function connectingImports(text: string): string[] {
  const named = [...text.matchAll(/(?:^|\n)import\s+(?!type\s)([^'"]*?)\s+from\s+'([^']+)'/g)]
    .filter(match => connectors.test(match[2] ?? ''))
    .flatMap(match => (match[1] ?? '').replace(/[{}]/g, '').split(','))
    .map(name => name.trim())
    .filter(name => name !== '' && !harmless.test(name))
  const dynamic = [...text.matchAll(/(?:import|require)\('([^']+)'\)/g)].map(match => match[1] ?? '')
  return [...named, ...dynamic.filter(specifier => connectors.test(specifier))]
}

it('keep what reads documents and pictures in the program of their children', () => {
  const users = sources.filter(file => file.imports.some(({ specifier }) => isolatedPackages.test(specifier)))
  expect(users.filter(({ path }) => !path.startsWith(isolatedHome)).map(({ path }) => path)).toEqual([])
  expect(users.length).toBeGreaterThan(0)
  const importers = sources.filter(file => localImports(file).some(({ target }) => target.startsWith(isolatedHome)))
  expect(importers.filter(({ path }) => !path.startsWith(isolatedHome)).map(({ path }) => path)).toEqual([])
})

describe('banned words and calls', () => {
  for (const { pattern, allowed, reason } of bans) {
    it(`${pattern.source}: ${reason}`, () => {
      const broken = sources
        .filter(file => !allowed.some(place => file.path.startsWith(place)))
        .filter(file => pattern.test(withoutImportsAndCitations(file.text)))
        .map(file => file.path)
      expect(broken).toEqual([])
    })
  }
})

function withoutImportsAndCitations(text: string): string {
  return text.replace(citation, '').replace(/from '[^']+'/g, '')
}

it('no file is longer than 400 lines', () => {
  const long = sources
    .map(file => ({ path: file.path, lines: file.text.split('\n').length }))
    .filter(({ lines }) => lines > 400)
  expect(long).toEqual([])
})

it('the rules can fail: a forbidden import is seen', () => {
  const [first] = readImports("import { x } from '../adapters/y.ts'\n")
  expect(first).toEqual({ specifier: '../adapters/y.ts', typeOnly: false })
  expect(bans.find(ban => ban.pattern.source.includes('venice'))?.pattern.test('the Venice surface')).toBe(true)
})
