import { afterAll, describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { stretched } from '../support/lapse.ts'
import { answer } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { accessTo, clientsGateway, hastyModel, limitedModel, question, testModel } from './clients-gateway.ts'
import { describeClient } from './contract/describe-client.ts'
import { replyOf } from './contract/outcomes.ts'
import { preparePython } from './python/prepare-python.ts'
import { createPythonClient, openAiPythonTraits } from './python/python-client.ts'

const python = await preparePython()

if ('obstacle' in python) it.skip(`the Python clients (skipped: ${python.obstacle})`)
else describePythonClients(python.program)

function describePythonClients(program: string): void {
  const gateway = useGateway(clientsGateway)
  const openai = createPythonClient(program, 'openai_client')
  const langchain = createPythonClient(program, 'langchain_client')
  afterAll(async () => {
    await Promise.all([openai.close(), langchain.close()])
  })

  describeClient('openai for Python', openai, {
    gateway,
    traits: openAiPythonTraits,
  })

  describeClient('LangChain for Python', langchain, {
    gateway,
    traits: {
      showsDetailsOfStreams: false,
      failures: {
        classes: {
          400: 'OpenAIInvalidRequestError',
          401: 'OpenAIAuthenticationError',
          402: 'APIStatusError',
          403: 'OpenAIPermissionDeniedError',
          404: 'OpenAIModelNotFoundError',
          429: 'OpenAIRateLimitError',
          502: 'OpenAIAPIError',
          504: 'OpenAIAPIError',
        },
        brokenStream: { className: 'APIError', status: null, code: 'upstream_error' },
        stoppedWaiting: 'OpenAITimeoutError',
      },
    },
  })

  describe('openai for Python, beyond the contract', () => {
    it('lists the models, and reads one whose id has a slash', async () => {
      const { listed, read } = replyOf(await openai.readModels(accessTo(gateway), question))
      expect(listed).toEqual([testModel, hastyModel, limitedModel])
      expect(read).toBe(testModel)
    })

    it('stops the engine when an asynchronous reader of a stream is cancelled', async () => {
      gateway.engine().next(answer({ chunks: 900, everyMs: 20 }))
      const { pieces } = replyOf(await openai.leaveAsynchronously(accessTo(gateway), { ...question, afterPieces: 4 }))
      expect(pieces.length).toBeGreaterThanOrEqual(4)
      await waitFor('the engine to be left', () => gateway.engine().requests[0]?.closedByPeerAt, {
        withinMs: stretched(1_000),
      })
    })
  })
}
