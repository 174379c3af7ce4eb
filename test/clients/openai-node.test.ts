import { useGateway } from '../support/gateway/index.ts'
import { clientsGateway } from './clients-gateway.ts'
import { describeClient } from './contract/describe-client.ts'
import { openAiNode } from './openai-node.ts'

const gateway = useGateway(clientsGateway)

describeClient('openai for Node', openAiNode, {
  gateway,
  traits: {
    failures: {
      classes: {
        400: 'BadRequestError',
        401: 'AuthenticationError',
        402: 'APIError',
        403: 'PermissionDeniedError',
        404: 'NotFoundError',
        429: 'RateLimitError',
        502: 'InternalServerError',
        504: 'InternalServerError',
      },
      brokenStream: { className: 'APIError', status: null, code: 'upstream_error' },
      stoppedWaiting: 'APIUserAbortError',
    },
  },
})
