import { type ArmedFailpoint, isFailpoint } from '../lib/failpoint.ts'
import { Secret } from '../lib/secret.ts'
import { credential, httpUrl } from './schema/fields.ts'
import type { Lookup } from './text/references.ts'

const logLevels = ['debug', 'info', 'warn', 'error'] as const
type LogLevel = (typeof logLevels)[number]

/** What the process environment says to the gateway (operator.md §1). Nothing else reads it. */
export interface Environment {
  /** RIALTO_DATA, as it was given. */
  readonly dataFolder: string
  /** RIALTO_SECRET: hashes keys and protects stored answers. Null: the one in the data folder. */
  readonly secret: Secret | null
  /** RIALTO_ADMIN_TOKEN */
  readonly adminToken: Secret | null
  /** RIALTO_API_KEY: the key with which `rialto chat` calls a gateway. */
  readonly apiKey: Secret | null
  /** OPENAI_BASE_URL with OPENAI_API_KEY. A key alone is no wish to sell what it buys, so the address decides. */
  readonly openAi: { readonly baseUrl: string; readonly apiKey: Secret | null } | null
  /** ANTHROPIC_API_KEY, with ANTHROPIC_BASE_URL for another address than the usual one; up to and including `/v1`. */
  readonly anthropic: { readonly baseUrl: string; readonly apiKey: Secret } | null
  /** OTEL_EXPORTER_OTLP_ENDPOINT: where traces go; null for none. */
  readonly traceEndpoint: string | null
  /** RIALTO_LOG_LEVEL */
  readonly logLevel: LogLevel
  /** RIALTO_FAILPOINT, for tests: the point at which the process dies, and at which passage. */
  readonly failpoint: ArmedFailpoint | null
  /** NO_COLOR */
  readonly noColor: boolean
  /** CI */
  readonly ci: boolean
  /** Any variable, for `${NAME}` in rialto.yaml. */
  readonly lookup: Lookup
}

/** The environment cannot be used; the message names every variable that is wrong, and no value. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError'
}

const secretLengthMin = 16

const anthropicUrl = 'https://api.anthropic.com'

/** @throws EnvironmentError */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>> = process.env): Environment {
  const problems: string[] = []
  const textOf = (name: string): string | null => variables[name] || null
  const secretOf = (name: string): Secret | null => readSecret(name, textOf(name), problems)
  const environment: Environment = {
    dataFolder: textOf('RIALTO_DATA') ?? './data',
    secret: secretOf('RIALTO_SECRET'),
    adminToken: secretOf('RIALTO_ADMIN_TOKEN'),
    apiKey: secretOf('RIALTO_API_KEY'),
    openAi: readOpenAi(textOf('OPENAI_BASE_URL'), secretOf('OPENAI_API_KEY'), problems),
    anthropic: readAnthropic(textOf('ANTHROPIC_BASE_URL'), secretOf('ANTHROPIC_API_KEY'), problems),
    traceEndpoint: readAddress('OTEL_EXPORTER_OTLP_ENDPOINT', textOf('OTEL_EXPORTER_OTLP_ENDPOINT'), problems),
    logLevel: readLogLevel(textOf('RIALTO_LOG_LEVEL') ?? 'info', problems),
    failpoint: readFailpoint(textOf('RIALTO_FAILPOINT'), problems),
    noColor: textOf('NO_COLOR') !== null,
    ci: ![null, '0', 'false'].includes(textOf('CI')),
    lookup: name => variables[name],
  }
  if (environment.secret !== null && environment.secret.reveal().length < secretLengthMin) {
    problems.push(`RIALTO_SECRET must have at least ${secretLengthMin} characters`)
  }
  if (problems.length > 0) throw new EnvironmentError(problems.join('\n'))
  return environment
}

function readSecret(name: string, text: string | null, problems: string[]): Secret | null {
  if (text === null) return null
  const checked = credential().safeParse(text)
  if (!checked.success) problems.push(`${name} ${checked.error.issues[0]?.message}`)
  return new Secret(text)
}

function readOpenAi(address: string | null, apiKey: Secret | null, problems: string[]): Environment['openAi'] {
  const baseUrl = readAddress('OPENAI_BASE_URL', address, problems)
  return baseUrl === null ? null : { baseUrl, apiKey }
}

/** Anthropic's own programs take the address without the version, so it is added where it is not there. */
function readAnthropic(address: string | null, apiKey: Secret | null, problems: string[]): Environment['anthropic'] {
  const root = readAddress('ANTHROPIC_BASE_URL', address ?? anthropicUrl, problems)
  return apiKey === null || root === null ? null : { baseUrl: root.endsWith('/v1') ? root : `${root}/v1`, apiKey }
}

/** Without trailing slashes. */
function readAddress(name: string, text: string | null, problems: string[]): string | null {
  if (text === null) return null
  const checked = httpUrl().safeParse(text)
  if (!checked.success) problems.push(`${name} ${checked.error.issues[0]?.message}`)
  return checked.success ? text.replace(/\/+$/, '') : null
}

function readLogLevel(text: string, problems: string[]): LogLevel {
  const level = logLevels.find(name => name === text)
  if (level === undefined) problems.push(`RIALTO_LOG_LEVEL must be one of ${logLevels.join(', ')}`)
  return level ?? 'info'
}

function readFailpoint(text: string | null, problems: string[]): ArmedFailpoint | null {
  if (text === null) return null
  const [, name = '', nth = '1'] = /^([a-z_.]{1,64})(?::([1-9]\d{0,8}))?$/.exec(text) ?? []
  if (isFailpoint(name)) return { name, nth: Number(nth) }
  problems.push('RIALTO_FAILPOINT must be the name of a known place, or name and number: name:3')
  return null
}
