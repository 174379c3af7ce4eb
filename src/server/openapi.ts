import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { ServerDependencies } from './server-dependencies.ts'
import { surfaces } from './surfaces.ts'

export const openApiAddress = '/openapi.json'

/** Of the APIs; the program has a version of its own. */
const version = '1.0.0'
/** Long enough that a page does not ask twice, short enough that a new version shows. */
const cacheSeconds = 300

/** `GET /openapi.json`: both public APIs, for programs that make clients. Built once, when first asked for; open to everybody. */
export function registerOpenApi(app: FastifyInstance, { publicUrl }: Pick<ServerDependencies, 'publicUrl'>): void {
  let building: ReturnType<typeof build> | null = null

  app.get(openApiAddress, async (request, reply) => {
    building ??= build(publicUrl).catch(error => {
      building = null
      throw error
    })
    const { text, etag } = await building
    reply.headers({ etag, 'cache-control': `public, max-age=${cacheSeconds}` })
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(text)
  })
}

/** Gives way to other requests between two operations. */
async function build(publicUrl: string): Promise<{ readonly text: string; readonly etag: string }> {
  const { describeApis } = await import('../dialects/openapi/document.ts')
  const apis = await Promise.all(surfaces.map(({ loadApi }) => loadApi()))
  const text = JSON.stringify(await describeApis(apis, { publicUrl, version }, nextTurn))
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

/** A tag may have become weak on its way, and several may be named (RFC 9110 §13.1.2). */
function isKnown(named: string | undefined, etag: string): boolean {
  const tags = (named ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
