import type { ErrorContext } from '../../../core/answer-encoder.ts'
import type { JsonObject } from '../../../lib/json.ts'

/**
 * What a caller without any credentials is told: how to get some (venice.md §7.3, Discovery). Nothing can be paid with
 * on the spot while no wallet is configured, so that the list of payments is empty.
 */
export function discoveryBody(context: ErrorContext): JsonObject {
  const { publicUrl } = context
  const apiKey = { header: 'Authorization: Bearer YOUR_API_KEY', getKey: publicUrl, docs: `${publicUrl}/docs` }
  return { ...paymentRequired(context), authOptions: { apiKey } }
}

/** The part of it that an x402 client reads, as its header carries it. */
export function discoveryHeader(context: ErrorContext): string {
  return Buffer.from(JSON.stringify(paymentRequired(context))).toString('base64')
}

function paymentRequired({ publicUrl, path }: ErrorContext): JsonObject {
  const resource = { url: `${publicUrl}${path}`, description: 'Inference API', mimeType: 'application/json' }
  return { x402Version: 2, error: 'Authentication required', resource, accepts: [], extensions: {} }
}
