import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GatewayError } from '../core/gateway-error.ts'
import { JsonError, parseJsonBytes } from '../lib/json.ts'
import { judgeJsonHead } from './judge-json-head.ts'

/** From now on the routes of this scope take JSON and nothing else, read within our own bounds. */
export function takeJsonBodies(scope: FastifyInstance, bodyBytesMax: number): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: bodyBytesMax },
    async (request: FastifyRequest, body: Buffer) => {
      judgeJsonHead(request.headers)
      return parseBody(body)
    },
  )
}

/** An empty body is one that says nothing. */
function parseBody(body: Buffer): unknown {
  if (body.length === 0) return undefined
  try {
    return parseJsonBytes(body)
  } catch (error) {
    if (error instanceof JsonError)
      throw new GatewayError('invalid_json', `The body is not valid JSON: ${error.message}.`)
    throw error
  }
}
