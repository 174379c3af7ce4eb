import type { CompletionRequest, RequestBody } from '../../core/completion-request.ts'
import { isReference } from '../../core/find-media.ts'
import { measurePrepared } from '../../core/measure-media.ts'
import { countCharacters } from '../../core/measure-messages.ts'
import type { MediaPlace } from '../../core/media.ts'
import type { Model } from '../../core/model.ts'
import { joinBytes } from '../../lib/join-bytes.ts'
import type { JsonObject } from '../../lib/json.ts'
import { elementSpans } from '../../lib/json-elements.ts'
import type { JsonMember } from '../../lib/json-scan.ts'
import type { RawTexts } from '../../lib/raw-texts.ts'
import { type Draft, replaceParts } from './draft.ts'

type Forwarded = Extract<CompletionRequest['content'], { kind: 'forwarded' }>

/** As deep as bodies may be. */
const depthMax = 64

/**
 * A body that reaches the engine as it came, but for messages with media that have to be looked at: always when one of
 * them leads elsewhere, since an engine must not follow it, else where the model asks for checks. These messages are
 * written anew, so that the engine reads what was checked and nothing beside it.
 */
export function forwardDraft({ body, prompt, media: read }: Forwarded, model: Model): Draft {
  const { places, messages } = read
  const media = places.some(isReference) || checksMedia(model) ? places : []
  return {
    ...{ media, prompt, reasoning: null, injectedTokens: 0, injectedTexts: [] },
    async write(prepared, signal) {
      if (media.length === 0) return { body, prompt }
      const replaced = replaceParts(messages, prepared.parts)
      const written = await writeMessages(body, { messages: replaced, media }, { texts: prepared.texts, signal })
      const measured = measurePrepared(prompt, media, prepared.sizes)
      return { body: written, prompt: { ...measured, characters: countCharacters(replaced) } }
    },
  }
}

/** Models that take media are the ones that somebody sends harmful media to (operator.md §3 `media.check`). */
function checksMedia({ mediaCheck, capabilities }: Model): boolean {
  const { vision, audioInput, videoInput } = capabilities
  return mediaCheck ?? (vision || audioInput || videoInput)
}

interface NewMessages {
  readonly messages: readonly JsonObject[]
  readonly media: readonly MediaPlace[]
}

async function writeMessages(
  body: RequestBody,
  { messages, media }: NewMessages,
  { texts, signal }: { readonly texts: RawTexts; readonly signal: AbortSignal | undefined },
): Promise<RequestBody> {
  const member = body.members.find(({ key }) => key === 'messages')
  if (member === undefined) throw new RangeError('a body with media has messages')
  const { bytes } = body
  const spans = elementSpans(bytes, { start: member.valueStart, end: member.valueEnd }, depthMax)
  const pieces: Buffer[] = []
  let copied = 0
  for (const index of new Set(media.map(({ message }) => message))) {
    const [span, message] = [spans[index], messages[index]]
    if (span === undefined || message === undefined) throw new RangeError('a message that was read stands in the body')
    pieces.push(bytes.subarray(copied, span.start), ...texts.encode(message))
    copied = span.end
  }
  const written = await joinBytes([...pieces, bytes.subarray(copied)], signal)
  return { ...body, bytes: written, members: moveMembers(body.members, member, written.length - bytes.length) }
}

/** The spans of the members when the messages have become `bytes` longer. */
export function moveMembers(
  members: readonly JsonMember[],
  messages: JsonMember,
  bytes: number,
): readonly JsonMember[] {
  return members.map(member => {
    if (member === messages) return { ...member, valueEnd: member.valueEnd + bytes }
    if (member.keyStart < messages.keyStart) return member
    const { keyStart, keyEnd, valueStart, valueEnd } = member
    return {
      ...member,
      keyStart: keyStart + bytes,
      keyEnd: keyEnd + bytes,
      valueStart: valueStart + bytes,
      valueEnd: valueEnd + bytes,
    }
  })
}
