import type { CompletionRequest } from '../../core/completion-request.ts'
import { findMedia } from '../../core/find-media.ts'
import { GatewayError } from '../../core/gateway-error.ts'
import { measureMessages } from '../../core/measure-messages.ts'
import type { JsonObject } from '../../lib/json.ts'
import { refuseLookAlikes } from '../openai/look-alike-keys.ts'
import type { ReadBody } from '../openai/read-body.ts'
import { readBoolean, readMessages, readPositiveInteger, readString } from '../openai/read-fields.ts'
import { splitModelSuffix } from './model-suffix.ts'
import { readVenymExtras } from './venym-extras.ts'

const removedKeys: ReadonlySet<string> = new Set(['venym'])
/** What is read here or written anew for the engine. */
const readKeys: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'n',
  'best_of',
  'max_tokens',
  'max_completion_tokens',
  'prompt_cache_key',
  'venym',
])
const policy = {
  overCap: 'clamp',
  emptyAnswer: 'usage',
  shownModel: 'asked',
  modelNames: { kind: 'exact' },
} as const

/**
 * Body of `POST /v1/chat/completions` → the core's request. Reads what the gateway must understand; everything else is
 * forwarded as it came (venym.md §2).
 * @throws GatewayError missing_model, invalid_messages, invalid_value, unknown_key
 */
export function decodeChat({ bytes, object, members }: ReadBody): CompletionRequest {
  refuseLookAlikes(members, readKeys)
  const { modelId, suffixes } = splitModelSuffix(readModel(object))
  const messages = readMessages(object)
  const stream = readBoolean(object, 'stream') ?? false
  const choices = Math.max(readPositiveInteger(object, 'n') ?? 1, readPositiveInteger(object, 'best_of') ?? 1)
  const member = members.find(candidate => candidate.key === 'venym')
  const places = findMedia(messages)
  const extras = readVenymExtras(object['venym'], { bytes, member }, suffixes.has('online'))
  return {
    modelId,
    stream,
    choices,
    outputLimit: readOutputLimit(object),
    content: {
      kind: 'forwarded',
      body: {
        bytes,
        members,
        removedKeys: removedFrom(object),
        promptCacheKey: readString(object, 'prompt_cache_key'),
      },
      prompt: measureMessages(messages, bytes.length, places),
      media: { places, messages: places.length === 0 && extras.grounding === null ? [] : messages },
    },
    grounding: extras.grounding,
    needs: [],
    answer: null,
    policy,
  }
}

/** For these, null says the same as nothing, so that no engine has to know what it means (venym.md §8). */
const nullMeansAbsent = ['n', 'stream', 'stop']

function removedFrom(object: JsonObject): ReadonlySet<string> {
  const absent = nullMeansAbsent.filter(key => object[key] === null)
  return absent.length === 0 ? removedKeys : new Set([...removedKeys, ...absent])
}

function readModel(object: JsonObject): string {
  const model = object['model']
  if (typeof model !== 'string' || model === '') {
    throw new GatewayError('missing_model', '`model` must name a model of GET /v1/models.', { param: 'model' })
  }
  return model
}

/** Both names are read as one value; the newer name wins when both are given (venym.md §2.4). */
function readOutputLimit(object: JsonObject): number | null {
  const older = readPositiveInteger(object, 'max_tokens')
  return readPositiveInteger(object, 'max_completion_tokens') ?? older
}
