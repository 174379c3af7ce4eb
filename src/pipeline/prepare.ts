import type { PromptSize } from '../core/completion-request.ts'
import { GatewayError } from '../core/gateway-error.ts'
import type { Grounding } from '../core/grounding.ts'
import type { MediumSize } from '../core/measure-media.ts'
import { type Fees, noFees } from '../core/price.ts'
import { holdBound } from '../domain/admission/hold-bound.ts'
import type { JsonObject } from '../lib/json.ts'
import { RawTexts } from '../lib/raw-texts.ts'
import { endAnswer, type Held } from './answering.ts'
import { nothingPrepared, type PreparedMedia } from './compose/draft.ts'
import { insertMessage } from './compose/insert-message.ts'
import { type Grounded, ground } from './grounding/ground.ts'
import { lowerHold } from './lower-hold.ts'
import type { ByteShare } from './media/byte-budget.ts'
import { prepareMedia } from './media/prepare-media.ts'
import { endRecording } from './recording.ts'
import type { Admitted, Prepared } from './stages.ts'
import { stopEnding } from './stop-ending.ts'

/** Callers write what stands around the marks of texts. */
const nonceBytes = 16

/**
 * Puts into the body what had to be fetched, decoded, read or looked up first. The hold is durable by now and bounds all
 * of it (money.md §2); what fails here was refused before any engine, and is free.
 * @throws GatewayError after the hold is resolved
 */
export async function prepare(held: Held, share: ByteShare): Promise<Prepared> {
  const { draft, plan } = held.admitted
  if (draft.media.length === 0 && plan === null)
    return await withBody(held, { media: nothingPrepared, grounded: null }, held.running.signal)
  const stop = new AbortController()
  const signal = AbortSignal.any([held.running.signal, stop.signal])
  try {
    const [media, grounded] = await Promise.all([mediaOf(held, share, signal), ground(held, signal)])
    return await lowerHold(held, await withBody(held, { media, grounded }, signal))
  } catch (error) {
    throw await endUnprepared(held, error)
  } finally {
    stop.abort()
  }
}

interface Found {
  readonly media: PreparedMedia
  readonly grounded: Grounded | null
}

async function withBody({ admitted }: Held, { media, grounded }: Found, signal: AbortSignal): Promise<Prepared> {
  const written = await admitted.draft.write(media, signal)
  const message = grounded?.message ?? null
  const { body, prompt } = message === null ? written : await insertMessage(written, message, signal)
  const promptTokensBound = reportedTokensMax(admitted, prompt)
  const grounding = grounded?.grounding ?? null
  return { ...admitted, body, prompt, promptTokensBound, grounding, fees: feesOf(grounding) }
}

/**
 * What is known of media says what they should cost, not what an engine can have counted: that is judged by what was
 * thought possible, so that a wrong figure of the catalogue is a charge up to the hold, and not an answer for nothing.
 */
function reportedTokensMax({ draft, promptTokensBound, model }: Admitted, prompt: PromptSize): number {
  return draft.media.length > 0 ? promptTokensBound : Math.min(promptTokensBound, holdBound(prompt, model).promptTokens)
}

/** From now on what was found is in the prompt, and owed (money.md §3). */
function feesOf(grounding: Grounding | null): Fees {
  if (grounding === null || grounding.sources.length === 0) return noFees
  const { kind, sources } = grounding
  return { searches: kind === 'search' ? 1 : 0, pages: sources.filter(({ isPage }) => isPage).length }
}

async function mediaOf(held: Held, share: ByteShare, signal: AbortSignal): Promise<PreparedMedia> {
  const { dependencies, admitted } = held
  const { model, principal, served, draft } = admitted
  const kinds = dependencies.settings().engineKinds
  const texts = new RawTexts(dependencies.random.hex(nonceBytes))
  const sizes = new Map<JsonObject, MediumSize>()
  const parts = await prepareMedia(draft.media, {
    texts,
    sizes,
    tools: dependencies.media,
    share,
    accountId: principal.accountId,
    signal,
    canSee: model.capabilities.vision || admitted.request.content.kind === 'forwarded',
    takesGif: admitted.request.content.kind === 'forwarded',
    readsHeic: served.every(({ engineId }) => kinds.get(engineId) === 'google'),
  })
  return { parts, texts, sizes }
}

/** Nothing was asked of an engine, so nothing is charged. Faults of ours go on to the net below. */
async function endUnprepared(held: Held, error: unknown): Promise<unknown> {
  const { running, meter, recording } = held
  const stopped = running.cause === null ? null : stopEnding(running.cause, false)
  const refusal = stopped?.error ?? error
  if (!(refusal instanceof GatewayError)) return refusal
  const charge = await endAnswer(held, {
    outcome: stopped?.outcome ?? (refusal.status < 500 ? 'refused' : 'upstream_fail'),
    billing: 'free',
    status: refusal.status,
    reading: meter.running(),
    ...{ node: null, attempts: [], firstByteMs: null },
  })
  await endRecording(recording, charge)
  return refusal
}
