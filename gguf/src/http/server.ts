import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Engine } from '../model/engine.ts'
import { encodeError, toWireError, WireError } from '../wire-error.ts'
import { answerChat, type ChatParts } from './answer-chat.ts'
import { readBody } from './read-body.ts'
import { createTurnstile } from './turnstile.ts'

const headersMsMax = 10_000
const bodyMsMax = 60_000
/** Longer than the gateway keeps an idle connection, so that it is never this side that closes one in use. */
const keepAliveMs = 120_000
const connectionsMax = 128

export interface ServerOptions {
  /** Bearer key that callers must send; undefined: none. */
  readonly key: string | undefined
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

/** The OpenAI-compatible surface of one loaded model. */
export function createEngineServer(engine: Engine, options: ServerOptions): Server {
  const parts: ChatParts = { engine, turnstile: createTurnstile() }
  const routes = createRoutes(parts)
  const server = createServer(
    { headersTimeout: headersMsMax, requestTimeout: bodyMsMax, keepAliveTimeout: keepAliveMs },
    (request, response) => {
      dispatch(routes, options, { request, response }).catch((error: unknown) => refuse({ request, response }, error))
    },
  )
  server.maxConnections = connectionsMax
  return server
}

function createRoutes(parts: ChatParts): ReadonlyMap<string, Route> {
  const { facts } = parts.engine
  const model = { id: facts.model, object: 'model', created: facts.createdSeconds, owned_by: 'gguf' }
  const row = { ...model, max_model_len: facts.contextTokens, meta: { n_ctx_train: facts.trainedContextTokens } }
  return new Map<string, Route>([
    ['GET /health', (_request, response) => sendJson(response, describeHealth(parts))],
    ['GET /props', (_request, response) => sendJson(response, describeProps(parts))],
    ['GET /v1/models', (_request, response) => sendJson(response, { object: 'list', data: [row] })],
    ['POST /v1/chat/completions', (request, response) => handleChat(parts, request, response)],
  ])
}

async function dispatch(
  routes: ReadonlyMap<string, Route>,
  options: ServerOptions,
  { request, response }: Exchange,
): Promise<void> {
  const path = (request.url ?? '/').split('?', 1)[0]
  if (path !== '/health' && !isAllowed(request, options.key)) {
    throw new WireError({ status: 401, code: 'invalid_api_key', message: 'The key is missing or wrong.' })
  }
  const route = routes.get(`${request.method} ${path}`)
  if (route !== undefined) return await route(request, response)
  if ([...routes.keys()].some(name => name.endsWith(` ${path}`))) {
    throw new WireError({ status: 405, code: 'method_not_allowed', message: 'This path takes another method.' })
  }
  throw new WireError({ status: 404, code: 'not_found', message: 'There is nothing at this path.' })
}

function isAllowed(request: IncomingMessage, key: string | undefined): boolean {
  if (key === undefined) return true
  const given = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${key}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

async function handleChat(parts: ChatParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const left = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) left.abort(new Error('the caller left'))
  })
  const body = await readBody(request)
  await answerChat(parts, { body, response }, left.signal)
}

/** `running` and `generated_tokens` let anyone see that a generation really ended. */
function describeHealth({ engine, turnstile }: ChatParts): object {
  const { running, waiting } = turnstile.counts()
  return { status: 'ok', running, waiting, generated_tokens: engine.generatedTokens() }
}

/** The context's size under the name that llama.cpp's own server has for it. */
function describeProps({ engine: { facts } }: ChatParts): object {
  return {
    default_generation_settings: { n_ctx: facts.contextTokens },
    total_slots: 1,
    model_alias: facts.model,
    chat_template_renderer: facts.template,
    supports_tools: facts.supportsTools,
    threads: facts.threads,
    build_info: facts.fingerprint,
  }
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function refuse({ request, response }: Exchange, error: unknown): void {
  if (response.destroyed || response.headersSent) {
    response.destroy()
    return
  }
  const wireError = toWireError(error)
  const { status, retryAfterSeconds } = wireError.facts
  if (!(error instanceof WireError)) process.stderr.write(`answer failed: ${String(error)}\n`)
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  })
  response.end(encodeError(wireError))
  // The rest of a refused body is read and forgotten (`bodyMsMax` bounds that), so that the caller gets to read the answer.
  request.resume()
}
