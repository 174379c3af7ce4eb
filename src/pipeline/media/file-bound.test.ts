import fc from 'fast-check'
import { expect, it } from 'vitest'
import { testModel } from '../../../test/support/model-builder.ts'
import type { Composition, PromptSize } from '../../core/completion-request.ts'
import { type DocumentReading, documentFailure } from '../../core/document-reader.ts'
import { findMedia } from '../../core/find-media.ts'
import type { GuardedFetch } from '../../core/guarded-fetch.ts'
import { measureMessages } from '../../core/measure-messages.ts'
import { holdBound } from '../../domain/admission/hold-bound.ts'
import { createCharacters } from '../../domain/characters/characters.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJsonBytes } from '../../lib/json.ts'
import { scanObject } from '../../lib/json-scan.ts'
import { RawTexts } from '../../lib/raw-texts.ts'
import { composeDraft } from '../compose/compose-draft.ts'
import type { Draft } from '../compose/draft.ts'
import { forwardDraft } from '../compose/forward-draft.ts'
import { createByteBudget } from './byte-budget.ts'
import { prepareMedia } from './prepare-media.ts'

const model = testModel({ contextTokens: 100_000_000 })
/** What is read of a small file at most, near which the names around it decide. */
const readBytesMax = 65_536

const fileName = fc.oneof(fc.constantFrom('長'.repeat(80), 'a.pdf', ''), fc.string({ unit: 'grapheme', maxLength: 90 }))
const source = fc.constantFrom(
  'data:application/pdf;base64,AAAA',
  'https://a.example/b.pdf',
  `https://a.example/${'長'.repeat(80)}`,
)
const file = fc
  .record({ file_data: source, filename: fc.option(fileName, { nil: undefined }) })
  .map((held): JsonObject => ({ type: 'file', file: JSON.parse(JSON.stringify(held)) as JsonObject }))
const text = fc
  .tuple(fc.constantFrom('a', '長', '"', '\n', '😀'), fc.constantFrom(0, 1, readBytesMax - 40, readBytesMax, 2_097_152))
  .map(([sign, bytes]) => sign.repeat(Math.ceil(bytes / Buffer.byteLength(sign))))
const reading: fc.Arbitrary<DocumentReading> = fc.oneof(
  text.map(said => ({ kind: 'text' as const, text: said, mediaType: 'text/plain', pages: null, truncated: false })),
  fc.constant(documentFailure('too_large')),
)

const fetchAnything: GuardedFetch = async ({ address }) => ({
  ...{ bytes: Buffer.from('%PDF'), contentType: 'application/pdf', charset: null, address },
})

function draftsFor(messages: readonly JsonObject[]): readonly Draft[] {
  const bytes = Buffer.from(JSON.stringify({ model: 'm', messages }))
  const body = { bytes, members: scanObject(bytes).members, removedKeys: new Set<string>(), promptCacheKey: null }
  const places = findMedia(messages)
  const prompt = measureMessages(messages, bytes.length, places)
  const composition: Composition = {
    ...{ messages, mediaPaths: new Map(), parameters: {}, promptCacheKey: null, cacheRetention: null },
    reasoning: { effort: null, enabled: null, summary: null, verbosity: null },
    persona: { characterSlug: null, housePrompt: false },
    ...{ endUserId: null, fallbacks: [], searchX: false },
  }
  const checked = { ...model, mediaCheck: true }
  return [
    forwardDraft({ kind: 'forwarded', body, prompt, media: { messages, places } }, checked),
    composeDraft(composition, model, { house: '', characters: createCharacters([]) }),
  ]
}

/** The draft's files, each of which says the same. */
async function write(draft: Draft, said: DocumentReading) {
  const budget = createByteBudget(1_000_000_000)
  const work = {
    tools: {
      ...{ budget, fetch: fetchAnything, sniff: async () => null },
      images: { decode: () => Promise.reject(new Error('there is none')) },
      meter: { secondsOf: async () => null },
      documents: { read: async () => said },
    },
    ...{ share: budget.open('acct'), texts: new RawTexts('0123456789abcdef'), sizes: new Map(), accountId: 'acct' },
    ...{ signal: new AbortController().signal, canSee: false, takesGif: false, readsHeic: false },
  }
  const parts = await prepareMedia(draft.media, work)
  return draft.write({ parts, texts: work.texts, sizes: work.sizes })
}

function bytesOfTexts(body: Buffer): number {
  const parsed = parseJsonBytes(body)
  const texts: JsonValue[] = isJsonObject(parsed) ? [parsed['messages'] ?? null] : []
  let bytes = 0
  for (let value = texts.pop(); value !== undefined; value = texts.pop()) {
    if (typeof value === 'string') bytes += Buffer.byteLength(value)
    else if (value !== null && typeof value === 'object') texts.push(...Object.values(value))
  }
  return bytes
}

const tokensOf = (prompt: PromptSize) => holdBound(prompt, model).promptTokens

it('whatever files are called and say, their lowered bound covers what an engine reads, and admission’s covers both', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 4 }), reading, async (files, said) => {
      for (const draft of draftsFor([{ role: 'user', content: [{ type: 'text', text: 'Read.' }, ...files] }])) {
        expect(draft.media).toHaveLength(files.length)
        const { body, prompt } = await write(draft, said)
        expect(prompt.boundBytes).toBeGreaterThanOrEqual(bytesOfTexts(body.bytes))
        expect(prompt.boundBytes).toBeLessThanOrEqual(draft.prompt.boundBytes)
        expect(tokensOf(prompt)).toBeLessThanOrEqual(tokensOf(draft.prompt))
      }
    }),
    { numRuns: 60 },
  )
})
