import type { ServerResponse } from 'node:http'
import { openApiAddress } from './openapi.ts'
import { surfaceOf, surfaces } from './surfaces.ts'

const preflightSeconds = '86400'

/** Browsers may call the public API from anywhere, without cookies; the operator's routes they may not (venym.md §7). */
export function setCrossOriginHeaders(response: ServerResponse, path: string): void {
  if (!isOpen(path)) return
  response.setHeader('access-control-allow-origin', '*')
  if (response.req.headers.origin !== undefined)
    response.setHeader('access-control-expose-headers', surfaceOf(path).exposedHeaders.join(', '))
}

export function answerPreflight(response: ServerResponse, path: string): void {
  if (isOpen(path)) {
    response.setHeader('access-control-allow-methods', surfaceOf(path).methods.join(', '))
    response.setHeader('access-control-allow-headers', '*, Authorization')
    response.setHeader('access-control-max-age', preflightSeconds)
  }
  response.writeHead(204)
  response.end()
}

function isOpen(path: string): boolean {
  return path === openApiAddress || surfaces.some(({ prefix }) => path.startsWith(prefix))
}
