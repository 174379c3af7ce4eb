import type { FastifyInstance } from 'fastify'
import { decodeTextParser } from '../../dialects/venice/decode/decode-text-parser.ts'
import { encodeParsedText } from '../../dialects/venice/encode/encode-text-parser.ts'
import { createSharedRoom } from '../../lib/shared-room.ts'
import { judgeFormHead, readForm } from '../read-form.ts'
import { refuseOtherMethods } from '../refuse-other-methods.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import { createKeyRoutes } from './key-routes.ts'
import { openOrder } from './open-order.ts'

const address = '/api/v1/augment/text-parser'
/** Files of all callers that are here at a time. */
const formsBytesMax = 134_217_728

/** `POST /api/v1/augment/text-parser`: the text of a file (venice.md §3). */
export function registerTextParser(app: FastifyInstance, dependencies: ServerDependencies): void {
  const { documentParser, clock } = dependencies
  const forms = createSharedRoom(formsBytesMax)
  void app.register((scope, _, done) => {
    // The form is read by the handler, as a stream and within its own bounds.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    createKeyRoutes(scope, dependencies).forAny('POST', address, async (caller, exchange) => {
      const buy = openOrder(clock, caller, exchange)
      const { request, reply } = exchange
      judgeFormHead(request.raw)
      const form = await readForm(request.raw, forms.of(caller.key.accountId))
      try {
        const { file, format } = decodeTextParser(form)
        const { text } = await buy({ file }, documentParser.parse)
        if (format === 'json') return encodeParsedText(text)
        reply.type('text/plain; charset=utf-8')
        return text
      } finally {
        form.release()
      }
    })
    refuseOtherMethods(scope, address, 'POST')
    done()
  })
}
