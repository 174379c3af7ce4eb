import type { EngineCall } from '../../../domain/engines/types.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { Chat, Tool } from '../chat/chat.ts'
import { readChat } from '../chat/read-chat.ts'
import { encodeContents, encodeSystem } from './encode-contents.ts'
import { encodeThinking } from './encode-thinking.ts'
import { geminiFacts } from './gemini-facts.ts'

/** The body of generateContent. `deniedKeys` as `foldName` gives them. @throws RequestRefused */
export function encodeRequest(call: EngineCall, deniedKeys: ReadonlySet<string>): JsonObject {
  const chat = readChat(call, deniedKeys)
  const facts = geminiFacts(call.engineModel)
  const system = encodeSystem(chat.turns)
  const thinkingConfig = encodeThinking(chat, facts, call.outputLimit)
  return {
    contents: encodeContents(chat.turns, facts),
    ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }),
    ...encodeTools(chat),
    generationConfig: {
      maxOutputTokens: call.outputLimit,
      ...encodeSampling(chat),
      ...encodeFormat(chat),
      ...(thinkingConfig === null ? {} : { thinkingConfig }),
    },
  }
}

function encodeTools({ tools, toolChoice }: Chat): JsonObject {
  if (tools.length === 0) return {}
  const mode = { auto: 'AUTO', none: 'NONE', required: 'ANY', named: 'ANY' }[toolChoice.kind]
  const allowed = toolChoice.kind === 'named' ? { allowedFunctionNames: [toolChoice.name] } : {}
  return {
    tools: [{ functionDeclarations: tools.map(encodeTool) }],
    toolConfig: { functionCallingConfig: { mode, ...allowed } },
  }
}

function encodeTool({ name, description, parameters }: Tool): JsonObject {
  return {
    name,
    ...(description === null ? {} : { description }),
    ...(parameters === null ? {} : { parametersJsonSchema: parameters }),
  }
}

function encodeSampling({ sampling }: Chat): JsonObject {
  const { stop, ...numbers } = sampling
  const given = Object.entries(numbers).filter(([, value]) => value !== null)
  return { ...Object.fromEntries(given), ...(stop.length === 0 ? {} : { stopSequences: [...stop] }) }
}

function encodeFormat({ format }: Chat): JsonObject {
  if (format.kind === 'text') return {}
  const schema = format.kind === 'schema' ? { responseJsonSchema: format.schema } : {}
  return { responseMimeType: 'application/json', ...schema }
}
