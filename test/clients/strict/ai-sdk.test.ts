import { useGateway } from '../../support/gateway/index.ts'
import { aiSdk, aiSdkTraits } from '../ai-sdk.ts'
import { describeStrictClient } from './describe-strict-client.ts'
import { strictGateway } from './strict-gateway.ts'

describeStrictClient('the Vercel AI SDK', aiSdk, {
  gateway: useGateway(strictGateway),
  showsMessages: false,
  traits: aiSdkTraits,
})
