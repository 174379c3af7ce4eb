import { engineSchema } from './schema/engine-schema.ts'
import { modelSchema } from './schema/model-schema.ts'

/** The embedded engine, which answers when nothing else is there. */
export const sandboxEngine = engineSchema.parse({ id: 'embedded', kind: 'embedded' })

/** Its only model. It imitates what a model can do, and says plainly that it is none. */
export const sandboxModel = modelSchema.parse({
  id: 'rialto/sandbox',
  name: 'Sandbox (test mode)',
  description:
    'A test mode, not a language model: fixed rules imitate the features and the failures of an engine, ' +
    'so that integrations can be tried out free of charge.',
  served: [{ engine: 'embedded', model: 'sandbox' }],
  family: 'sandbox',
  traits: ['default'],
  tier: 'XS',
  contextTokens: 131_072,
  maxOutputTokens: 16_384,
  free: true,
  capabilities: {
    functionCalling: true,
    responseSchema: true,
    reasoning: true,
    reasoningEffort: true,
    logProbs: true,
  },
  reasoning: {
    efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
    default: 'none',
    canDisable: true,
  },
})
