import type { ChatRequest, Sampling } from '../chat-request.ts'
import { invalidField, unsupportedField, WireError } from '../wire-error.ts'
import { decodeMessages } from './decode-messages.ts'
import { decodeResponseFormat } from './decode-response-format.ts'
import { decodeTools } from './decode-tools.ts'
import {
  type Fields,
  isFields,
  readBoolean,
  readFields,
  readInteger,
  readNumber,
  readOptional,
  readString,
} from './read-fields.ts'

const choicesMax = 8
const stopsMax = 16
const stopCharactersMax = 256

/**
 * Body of `POST /v1/chat/completions` → request. Fields that would change the answer and that this engine lacks are
 * refused; unknown fields are ignored. Sampling defaults are those of llama.cpp.
 * @throws WireError 400 that names the field.
 */
export function decodeRequest(body: unknown): ChatRequest {
  if (!isFields(body)) {
    throw new WireError({ status: 400, code: 'invalid_json', message: 'The body must be a JSON object.' })
  }
  refuseUnsupported(body)
  const model = readString(body, 'model')
  if (model === undefined) throw new WireError({ status: 400, code: 'missing_model', message: 'model is required.' })
  const tools = decodeTools(body)
  const grammar = decodeResponseFormat(body)
  if (tools.length > 0 && grammar !== undefined) {
    throw unsupportedField('response_format', 'This engine cannot combine tools with a JSON response_format.')
  }
  const stream = readBoolean(body, 'stream') ?? false
  const streamOptions = readFields(body, 'stream_options')
  return {
    model,
    messages: decodeMessages(body),
    sampling: decodeSampling(body),
    stop: decodeStop(body),
    maxTokens: readTokenLimit(body),
    choices: readInteger(body, 'n', { min: 1, max: choicesMax }) ?? 1,
    tools,
    parallelToolCalls: readBoolean(body, 'parallel_tool_calls') ?? true,
    grammar,
    stream,
    includeUsage: streamOptions !== undefined && readBoolean(streamOptions, 'include_usage') === true,
  }
}

function refuseUnsupported(body: Fields): void {
  if (readBoolean(body, 'logprobs') === true) {
    throw unsupportedField('logprobs', 'This engine does not report log probabilities.')
  }
  for (const name of ['top_logprobs', 'logit_bias', 'functions', 'audio', 'best_of']) {
    const value = readOptional(body, name)
    const isEmpty = value === 0 || value === 1 || (isFields(value) && Object.keys(value).length === 0)
    if (value !== undefined && !isEmpty) throw unsupportedField(name, `This engine does not support ${name}.`)
  }
}

function decodeSampling(body: Fields): Sampling {
  const seed = readInteger(body, 'seed', { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
  return {
    temperature: readNumber(body, 'temperature', { min: 0, max: 2 }) ?? 0.8,
    topP: readNumber(body, 'top_p', { min: 0, max: 1 }) ?? 0.95,
    topK: readInteger(body, 'top_k', { min: 0, max: 1_000_000 }) ?? 40,
    minP: readNumber(body, 'min_p', { min: 0, max: 1 }) ?? 0.05,
    presencePenalty: readNumber(body, 'presence_penalty', { min: -2, max: 2 }) ?? 0,
    frequencyPenalty: readNumber(body, 'frequency_penalty', { min: -2, max: 2 }) ?? 0,
    // llama.cpp's seeds have 32 bits.
    seed: seed === undefined ? undefined : Number(BigInt.asUintN(32, BigInt(seed))),
  }
}

/** Both names mean the same; the newer one wins. */
function readTokenLimit(body: Fields): number | undefined {
  const bounds = { min: 1, max: Number.MAX_SAFE_INTEGER }
  const older = readInteger(body, 'max_tokens', bounds)
  return readInteger(body, 'max_completion_tokens', bounds) ?? older
}

function decodeStop(body: Fields): readonly string[] {
  const stop = readOptional(body, 'stop') ?? []
  const texts: readonly unknown[] = Array.isArray(stop) ? stop : [stop]
  const isText = (text: unknown): text is string =>
    typeof text === 'string' && text !== '' && text.length <= stopCharactersMax
  if (texts.length <= stopsMax && texts.every(isText)) return texts
  throw invalidField('stop', `stop must be at most ${stopsMax} texts of 1 to ${stopCharactersMax} characters.`)
}
