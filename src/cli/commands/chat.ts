import { defineCommand } from 'citty'
import { chooseModel, findKey } from '../chat/ask-person.ts'
import { createConversation } from '../chat/conversation.ts'
import { gatewayUrlDefault, listModels, parseGatewayUrl } from '../chat/open-chat.ts'
import { pipeChat } from '../chat/pipe-chat.ts'
import { UsageError } from '../command-error.ts'
import { isInteractive, ownTerminal } from '../output.ts'
import { parseCount } from '../parse-values.ts'

const maxTokensMax = 10_000_000
const temperatureMax = 2

/** A caller like any other: it needs a gateway that runs, and a key. */
export const chatCommand = defineCommand({
  meta: { description: 'Talks to a model of a running gateway; in a pipe it answers what stdin asks.' },
  args: {
    model: {
      type: 'positional',
      required: false,
      description: 'default: the gateway’s first; on a terminal you choose',
    },
    url: { type: 'string', valueHint: 'ADDRESS', description: `the gateway; default: ${gatewayUrlDefault}` },
    key: { type: 'string', valueHint: 'KEY', description: 'the API key; better: the variable RIALTO_API_KEY' },
    system: { type: 'string', valueHint: 'TEXT', description: 'the system prompt' },
    'max-tokens': { type: 'string', valueHint: 'N', description: 'the longest answer' },
    temperature: { type: 'string', valueHint: 'N', description: `from 0 to ${temperatureMax}` },
    json: {
      type: 'boolean',
      description: 'print the answer to stdin’s question with usage and cost as one JSON value',
    },
  },
  async run({ args }) {
    const baseUrl = parseGatewayUrl(args.url ?? gatewayUrlDefault)
    const settings = { maxTokens: parseMaxTokens(args['max-tokens']), temperature: parseTemperature(args.temperature) }
    const isTalk = isInteractive() && args.json !== true
    const [{ createGatewayClient, systemClock }, { readEnvironment }] = await Promise.all([
      import('../../app.ts'),
      import('../../config/env.ts'),
    ])
    const apiKey = await findKey(args.key, { environment: readEnvironment(), isTalk })
    const client = createGatewayClient({ baseUrl, apiKey, userAgent: 'rialto-chat' })
    try {
      const models = isTalk || args.model === undefined ? await listModels(client) : []
      const model = args.model ?? (isTalk ? await chooseModel(models) : models[0]) ?? ''
      const conversation = createConversation({ model, system: args.system ?? null }, settings)
      if (!isTalk) return await pipeChat(client, conversation, args.json === true)
      const { terminalChat } = await import('../chat/terminal-chat.ts')
      await terminalChat({ client, conversation, models, clock: systemClock, terminal: ownTerminal() })
    } finally {
      await client.close()
    }
  },
})

function parseMaxTokens(text: string | undefined): number | null {
  return text === undefined ? null : parseCount('--max-tokens', text, { min: 1, max: maxTokensMax })
}

/** @throws UsageError */
function parseTemperature(text: string | undefined): number | null {
  if (text === undefined) return null
  const value = /^\d(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= temperatureMax)) throw new UsageError(`--temperature must be a number from 0 to ${temperatureMax}.`)
  return value
}
