import type { Composition, PromptSize, RequestBody } from '../../core/completion-request.ts'
import { findMedia } from '../../core/find-media.ts'
import { measurePrepared } from '../../core/measure-media.ts'
import { countCharacters, measureMessages } from '../../core/measure-messages.ts'
import type { MediaPlace } from '../../core/media.ts'
import type { Model } from '../../core/model.ts'
import type { Characters } from '../../domain/characters/characters.ts'
import { joinBytes } from '../../lib/join-bytes.ts'
import type { JsonObject } from '../../lib/json.ts'
import { scanObject } from '../../lib/json-scan.ts'
import { setCacheBreakpoints } from './cache-breakpoints.ts'
import { type Draft, nothingPrepared, type PreparedParts, replaceParts } from './draft.ts'
import { keepImages } from './keep-images.ts'
import { personaMessages } from './persona-messages.ts'
import { reasoningFor } from './reasoning-for.ts'

/** What may stand before a caller's own words. */
export interface ComposeGround {
  /** The operator's own system prompt; empty for none. */
  readonly house: string
  readonly characters: Pick<Characters, 'find'>
}

const nothingRemoved: ReadonlySet<string> = new Set()

/** A caller's body is at most 64 levels deep; what stands bare there is wrapped once in the engine's form. */
const depthMax = 66

/**
 * Drafts the body that engines get for a composed request, and measures what the caller will pay for. Images that the
 * model cannot look at are left out first, so that nobody fetches them.
 * @throws GatewayError character_not_found
 */
export function composeDraft(composition: Composition, model: Model, ground: ComposeGround): Draft {
  const { messages: before, injectedTokens, texts: injectedTexts } = personaMessages(composition.persona, ground)
  const asked = keepImages(composition.messages, model)
  const media = findMedia(asked).map(place => placeOf(place, composition))
  const compose = (parts: PreparedParts) => {
    // A file may have turned out to be an image.
    const kept = keepImages(replaceParts(asked, parts), model)
    return setCacheBreakpoints([...before, ...kept], model)
  }
  const parameters = parametersOf(composition, model)
  const common = { media, injectedTokens, injectedTexts, reasoning: reasoningFor(composition.reasoning, model) }
  if (media.length === 0) {
    const messages = compose(nothingPrepared.parts)
    const body = bodyOf(Buffer.from(JSON.stringify({ ...parameters, messages: [...messages] })), composition)
    const prompt = measureMessages(messages, body.bytes.length, [])
    return { ...common, prompt, write: async () => ({ body, prompt }) }
  }
  const prompt = boundOf(parameters, [...before, ...asked], media)
  return {
    ...common,
    prompt,
    async write({ parts, texts, sizes }, signal) {
      const messages = compose(parts)
      const bytes = await joinBytes(texts.encode({ ...parameters, messages: [...messages] }), signal)
      const measured = measurePrepared(prompt, media, sizes)
      return { body: bodyOf(bytes, composition), prompt: { ...measured, characters: countCharacters(messages) } }
    },
  }
}

function placeOf(place: MediaPlace, { mediaPaths }: Composition): MediaPlace {
  return { ...place, path: mediaPaths.get(place.part) ?? place.path }
}

/** Measured without the media themselves, which may be tens of megabytes that nobody has paid for. */
function boundOf(parameters: JsonObject, messages: readonly JsonObject[], media: readonly MediaPlace[]): PromptSize {
  const bare = replaceParts(messages, new Map(media.map(({ part }) => [part, withoutSources(part)])))
  const bareBytes = Buffer.byteLength(JSON.stringify({ ...parameters, messages: [...bare] }))
  const sourceBytes = media.reduce((sum, { kind, source }) => sum + (kind === 'other' ? 0 : source.length), 0)
  return measureMessages(messages, bareBytes + sourceBytes + partBytes * media.length, media)
}

/** More than what stands around a medium in its part, marks of caches included. */
const partBytes = 512

function withoutSources({ type = null }: JsonObject): JsonObject {
  return { type }
}

function bodyOf(bytes: Buffer, { promptCacheKey }: Composition): RequestBody {
  const { members } = scanObject(bytes, 0, { depthMax })
  return { bytes, members, removedKeys: nothingRemoved, promptCacheKey }
}

/** What the caller asked for, and what the operator set for requests that say nothing of it (operator.md §3). */
function parametersOf({ parameters }: Composition, { constraints }: Model): JsonObject {
  const defaults = Object.entries(constraints).map(([name, constraint]) => [name, constraint.default])
  return { ...Object.fromEntries(defaults), ...parameters }
}
