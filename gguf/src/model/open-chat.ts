import type { ChatHistoryItem, ChatModelFunctions, Llama, LlamaChat, Token } from 'node-llama-cpp'
import type { ChatRequest } from '../chat-request.ts'
import { unsupportedField, WireError } from '../wire-error.ts'
import { toChatFunctions, toChatHistory } from './chat-history.ts'
import type { EngineFacts, OpenedChat } from './engine.ts'
import { generateAnswer } from './generate-answer.ts'

/** The loaded model with the one sequence that it generates in. */
export interface Loaded {
  readonly chat: LlamaChat
  readonly llama: Llama
  readonly facts: EngineFacts
}

/** A request in the library's terms. */
export interface RenderedChat {
  readonly request: ChatRequest
  readonly history: readonly ChatHistoryItem[]
  readonly functions: ChatModelFunctions | undefined
  readonly promptTokens: readonly Token[]
  /** Tokens the answer may have: what the caller allows and the context holds. */
  readonly answerTokensMax: number
}

/** The library keeps one token of the context free and starts to drop old messages at the last one. */
const contextReserve = 2

export function openChat(loaded: Loaded, request: ChatRequest): OpenedChat {
  const { facts } = loaded
  if (request.tools.length > 0 && !facts.supportsTools) {
    throw unsupportedField('tools', "This model's chat template does not take tools.")
  }
  const history = toChatHistory(request.messages)
  const functions = toChatFunctions(request.tools)
  const promptTokens = renderPrompt(loaded.chat, history, functions)
  const room = facts.contextTokens - contextReserve - promptTokens.length
  if (room < 1) {
    throw new WireError({
      status: 400,
      code: 'context_length_exceeded',
      param: 'messages',
      message: `The prompt has ${promptTokens.length} tokens; the context of ${facts.contextTokens} has no room for it and an answer.`,
    })
  }
  const answerTokensMax = Math.min(request.maxTokens ?? room, room)
  const rendered: RenderedChat = { request, history, functions, promptTokens, answerTokensMax }
  return {
    promptTokens: promptTokens.length,
    generate: (options, signal) => generateAnswer(loaded, { ...rendered, ...options }, signal),
  }
}

function renderPrompt(
  chat: LlamaChat,
  history: readonly ChatHistoryItem[],
  functions: ChatModelFunctions | undefined,
): readonly Token[] {
  try {
    const { contextText } = chat.chatWrapper.generateContextState({
      chatHistory: history,
      documentFunctionParams: true,
      ...(functions === undefined ? {} : { availableFunctions: functions }),
    })
    return contextText.tokenize(chat.model.tokenizer)
  } catch {
    // Templates refuse conversations they were not written for, e.g. two user messages in a row.
    throw new WireError({
      status: 400,
      code: 'invalid_messages',
      param: 'messages',
      message: "The model's chat template does not take this sequence of messages.",
    })
  }
}
