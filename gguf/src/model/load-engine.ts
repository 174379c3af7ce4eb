import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import {
  type ChatWrapper,
  getLlama,
  JinjaTemplateChatWrapper,
  LlamaChat,
  LlamaLogLevel,
  type LlamaModel,
} from 'node-llama-cpp'
import type { Engine, EngineFacts } from './engine.ts'
import { openChat } from './open-chat.ts'

/** Context when the operator names none: memory grows with it, and few machines without a GPU use more. */
const contextTokensDefault = 8_192

export interface EngineOptions {
  /** Path of the GGUF file. */
  readonly file: string
  readonly contextTokens: number | undefined
  readonly threads: number | undefined
}

/**
 * Loads the model for the CPU. One core is left for the event loops of this process and of the gateway: llama.cpp's
 * threads spin, and where every core has one, each token waits for the scheduler.
 */
export async function loadEngine(options: EngineOptions): Promise<Engine> {
  const threads = options.threads ?? Math.max(1, availableParallelism() - 1)
  const llama = await getLlama({
    build: 'never',
    gpu: false,
    skipDownload: true,
    progressLogs: false,
    maxThreads: threads,
    logLevel: LlamaLogLevel.error,
    logger: (_level, message) => process.stderr.write(`${message.trim()}\n`),
  })
  const model = await llama.loadModel({ modelPath: options.file })
  const contextTokens = options.contextTokens ?? Math.min(model.trainContextSize, contextTokensDefault)
  const context = await model.createContext({ contextSize: contextTokens, sequences: 1, threads })
  const chat = new LlamaChat({ contextSequence: context.getSequence() })
  const facts: EngineFacts = {
    model: basename(options.file).replace(/\.gguf$/i, ''),
    contextTokens: context.contextSize,
    trainedContextTokens: model.trainContextSize,
    supportsTools: supportsTools(model, chat.chatWrapper),
    template: chat.chatWrapper.wrapperName,
    threads,
    fingerprint: `llama.cpp-${llama.llamaCppRelease.release}`,
    createdSeconds: Math.floor(Date.now() / 1_000),
  }
  return {
    facts,
    generatedTokens: () => chat.sequence.tokenMeter.usedOutputTokens,
    open: request => openChat({ chat, llama, facts }, request),
  }
}

/**
 * The library can teach any model a call syntax of its own by a system prompt. Models that were not trained for tools
 * do not follow it, so only those count whose own template takes tools.
 */
function supportsTools(model: LlamaModel, wrapper: ChatWrapper): boolean {
  const template = model.fileInfo.metadata.tokenizer.chat_template ?? ''
  if (!/\btools\b/.test(template)) return false
  return !(wrapper instanceof JinjaTemplateChatWrapper) || wrapper.usingJinjaFunctionCallTemplate
}
