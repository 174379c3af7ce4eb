import type { ServerResponse } from 'node:http'
import { surfaces } from './surfaces.ts'

const exposedHeaders = [
  'x-request-id',
  'x-generation-id',
  'retry-after',
  'x-should-retry',
  'idempotent-replayed',
  'x-ratelimit-limit-requests',
  'x-ratelimit-limit-tokens',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-remaining-tokens',
  'x-ratelimit-reset-requests',
  'x-ratelimit-reset-tokens',
].join(', ')

const preflightSeconds = '86400'

/** Browsers may call the public API from anywhere, without cookies; the operator's routes they may not (venym.md §7). */
export function setCrossOriginHeaders(response: ServerResponse, path: string): void {
  if (!isOpen(path)) return
  response.setHeader('access-control-allow-origin', '*')
  if (response.req.headers.origin !== undefined) response.setHeader('access-control-expose-headers', exposedHeaders)
}

export function answerPreflight(response: ServerResponse, path: string): void {
  if (isOpen(path)) {
    response.setHeader('access-control-allow-methods', 'GET, POST, OPTIONS')
    response.setHeader('access-control-allow-headers', '*, Authorization')
    response.setHeader('access-control-max-age', preflightSeconds)
  }
  response.writeHead(204)
  response.end()
}

function isOpen(path: string): boolean {
  return surfaces.some(({ prefix }) => path.startsWith(prefix))
}
