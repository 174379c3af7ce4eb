import type { Ground } from '../../app.ts'
import { newId } from '../../core/ids.ts'
import { createFault } from '../../domain/engines/create-fault.ts'
import type { Engine } from '../../domain/engines/engine.ts'
import type { EngineCall, EngineReply } from '../../domain/engines/types.ts'
import { scanObject } from '../../lib/json-scan.ts'
import { lastingTimeout } from '../../lib/lasting-timeout.ts'

/** Some engines refuse to generate less. */
const outputTokens = 16
const answerMs = 60_000
const answerBytesMax = 1_048_576

/**
 * Asks a node for one tiny completion, past accounts and ledger, and resolves with the status of its whole answer.
 * @throws EngineFault
 */
export async function askEngine(engine: Engine, engineModel: string, { random }: Ground): Promise<number> {
  const body = { model: engineModel, messages: [{ role: 'user', content: 'Say ok.' }], max_tokens: outputTokens }
  const bytes = Buffer.from(JSON.stringify(body))
  const call: EngineCall = {
    requestId: newId('req', random),
    engineModel,
    stream: false,
    choices: 1,
    outputLimit: outputTokens,
    body: { bytes, members: scanObject(bytes).members, removedKeys: new Set(), promptCacheKey: null },
    deniedKeys: new Set(),
    promptCacheKey: null,
    wishes: null,
  }
  return readReply(await engine.open(call, lastingTimeout(answerMs)))
}

/** @throws EngineFault */
async function readReply(reply: EngineReply): Promise<number> {
  if (reply.kind === 'bytes') {
    await readToEnd(reply)
    return reply.status
  }
  for await (const event of reply.events) if (event.type === 'fault') throw event.error
  return 200
}

function readToEnd({ body }: Extract<EngineReply, { kind: 'bytes' }>): Promise<void> {
  return new Promise((resolve, reject) => {
    let length = 0
    body.consume({
      onBytes(chunk) {
        length += chunk.length
        if (length <= answerBytesMax) return
        body.cancel()
        reject(createFault('bad_answer', { message: 'the node answered with far more than was asked for' }))
      },
      onEnd: resolve,
      onFault: reject,
    })
  })
}
