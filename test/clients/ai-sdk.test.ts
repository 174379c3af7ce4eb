import { useGateway } from '../support/gateway/index.ts'
import { aiSdk } from './ai-sdk.ts'
import { clientsGateway } from './clients-gateway.ts'
import { describeClient } from './contract/describe-client.ts'

const gateway = useGateway(clientsGateway)

describeClient('the Vercel AI SDK', aiSdk, {
  gateway,
  traits: {
    failures: {
      classes: {
        400: 'AI_APICallError',
        401: 'AI_APICallError',
        402: 'AI_APICallError',
        403: 'AI_APICallError',
        404: 'AI_APICallError',
        429: 'AI_APICallError',
        502: 'AI_APICallError',
        504: 'AI_APICallError',
      },
      brokenStream: { status: null, code: 'upstream_error' },
      stoppedWaiting: 'AbortError',
    },
  },
})
