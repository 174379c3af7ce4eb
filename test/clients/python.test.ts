import { afterAll, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { clientsGateway } from './clients-gateway.ts'
import { describeClient } from './contract/describe-client.ts'
import { preparePython } from './python/prepare-python.ts'
import { createPythonClient } from './python/python-client.ts'

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
    traits: {
      failures: {
        classes: {
          400: 'BadRequestError',
          401: 'AuthenticationError',
          402: 'APIStatusError',
          403: 'PermissionDeniedError',
          404: 'NotFoundError',
          429: 'RateLimitError',
          502: 'InternalServerError',
          504: 'InternalServerError',
        },
        brokenStream: { className: 'APIError', status: null, code: 'upstream_error' },
        stoppedWaiting: 'APITimeoutError',
      },
    },
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
}
