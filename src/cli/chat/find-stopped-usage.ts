import { setTimeout as wait } from 'node:timers/promises'
import { type GatewayClient, GatewayUnreachable } from '../../core/gateway-client.ts'
import { type AnswerUsage, decodeGenerationUsage } from '../../dialects/venym/decode-answer.ts'
import { lastingTimeout } from '../../lib/lasting-timeout.ts'

/** The gateway stops the engine within a second, and settles then. */
const tries = 6
const waitMs = 300
const answerMs = 3_000

/** What a stopped answer cost: its stream ended before it could say so, but the gateway knows. Null when it does not. */
export async function findStoppedUsage(client: GatewayClient, completionId: string): Promise<AnswerUsage | null> {
  if (completionId === '') return null
  const path = `/v1/generation?id=${encodeURIComponent(completionId)}`
  try {
    for (let attempt = 0; attempt < tries; attempt++) {
      const { status, body } = await client.get(path, lastingTimeout(answerMs))
      if (status === 200) return decodeGenerationUsage(body)
      await wait(waitMs)
    }
    return null
  } catch (error) {
    if (error instanceof GatewayUnreachable) return null
    throw error
  }
}
