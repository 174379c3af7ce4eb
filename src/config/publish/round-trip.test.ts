import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldName } from '../../lib/fold-name.ts'
import { createConfig } from '../create-config.ts'
import { loadConfig } from '../load-config.ts'
import { type SettingsInput, settingsSchema } from '../schema.ts'
import { hasShieldSigns } from '../text/shield-references.ts'
import { renderSettings } from './render-settings.ts'

const source = {
  fileName: 'rialto.yaml',
  lookup: () => undefined,
  folder: '/etc/rialto',
  dataFolder: '/data',
  adminToken: null,
  createdSeconds: 7,
}

/** Texts that YAML would read as something else, unless they are written with care. */
const trickyText = fc.constantFrom(
  'true',
  '12',
  '1e3',
  '~',
  '',
  ' x',
  '- a',
  'a: b',
  '#a',
  'a #b',
  "it's",
  '"',
  '*a',
  '&a',
  '!a',
  '?',
  '|',
  '2027-01-31',
  '0x1',
  'ä€😀',
  '[',
  '{',
  '%',
  '@',
  '`',
  '---',
  '...',
)
const isReadable = (text: string): boolean => !text.includes('${') && !hasShieldSigns(text)
const lineText = fc
  .oneof(trickyText, fc.string({ unit: 'grapheme', maxLength: 40 }))
  .filter(text => isReadable(text) && !/\p{Cc}/u.test(text))
const proseText = fc.oneof(trickyText, fc.string({ unit: 'binary', maxLength: 80 })).filter(isReadable)
const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,12}$/)
const modelId = fc
  .oneof(trickyText, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }))
  .filter(text => isReadable(text) && /^[^\s\p{Cc}]{1,200}$/u.test(text) && !text.endsWith(':online'))
/** At most fifteen digits, so that a YAML number holds them. */
const nano = fc.bigInt({ min: 1n, max: 10n ** 14n })
const dollars = (amount: bigint): number => Number(`${amount}e-9`)
const limit = fc.oneof(fc.constant('unlimited' as const), fc.nat())

const engineIds = fc.uniqueArray(name, { minLength: 1, maxLength: 4 })
const catalogue = engineIds.chain(ids =>
  fc.record({
    ids: fc.constant(ids),
    keys: fc.array(fc.constantFrom('', 'none', '0012', 'true', 'sk-a#b:c'), {
      minLength: ids.length,
      maxLength: ids.length,
    }),
    models: fc.uniqueArray(
      fc.record({
        id: modelId,
        name: lineText,
        description: proseText,
        engine: fc.constantFrom(...ids),
        engineModel: lineText.filter(text => text !== ''),
        weight: fc.integer({ min: 1, max: 1000 }),
        input: nano,
        output: nano,
        cacheRead: fc.option(nano, { nil: undefined }),
        contextTokens: fc.integer({ min: 100, max: 1_000_000 }),
        temperature: fc.double({ min: 0, max: 2, noNaN: true }),
        denied: fc.array(
          lineText.filter(text => text !== ''),
          { maxLength: 3 },
        ),
      }),
      { selector: ({ id }) => id, maxLength: 4 },
    ),
  }),
)
const sections = fc.record({
  overdraft: nano,
  credit: nano,
  concurrency: limit,
  failures: limit,
  rpm: limit,
  house: proseText,
  ownedBy: lineText,
  retention: limit,
  search: fc.option(fc.record({ price: nano, apiKey: fc.constantFrom('', 'k:1') }), { nil: undefined }),
})

type Catalogue = typeof catalogue extends fc.Arbitrary<infer Value> ? Value : never
type Sections = typeof sections extends fc.Arbitrary<infer Value> ? Value : never

function settingsOf({ ids, keys, models }: Catalogue, facts: Sections): SettingsInput {
  return {
    startingCreditUsd: dollars(facts.credit),
    ownedBy: facts.ownedBy,
    prompts: { house: facts.house },
    limits: {
      overdraftUsd: dollars(facts.overdraft),
      concurrencyPerAccount: facts.concurrency,
      freeFailuresPerHour: facts.failures,
      tiers: { L: { rpm: facts.rpm } },
    },
    retention: { usageDays: facts.retention },
    ...(facts.search && { search: { priceUsd: dollars(facts.search.price), apiKey: facts.search.apiKey } }),
    engines: ids.map((id, at) => ({ id, baseUrl: `http://host-${at}:8000/v1/`, apiKey: keys[at] })),
    models: models.map(model => ({
      id: model.id,
      name: model.name,
      description: model.description,
      served: [{ engine: model.engine, model: model.engineModel, weight: model.weight }],
      contextTokens: model.contextTokens,
      maxOutputTokens: 100,
      constraints: { temperature: { default: model.temperature } },
      pricing: {
        inputUsdPerMTok: dollars(model.input),
        outputUsdPerMTok: dollars(model.output),
        ...(model.cacheRead !== undefined && { cacheReadUsdPerMTok: dollars(model.cacheRead) }),
      },
      forward: { deny: model.denied },
    })),
  }
}

test('a configuration that is written and read again is the same, to the nano-USD', () => {
  fc.assert(
    fc.property(catalogue, sections, (given, facts) => {
      const settings = settingsOf(given, facts)
      const config = loadConfig(renderSettings(settings), source)
      expect(config).toEqual(createConfig(settingsSchema.parse(settings), source))
      expect(config).toMatchObject({
        startingCreditNano: facts.credit,
        ownedBy: facts.ownedBy,
        prompts: { house: facts.house },
        limits: {
          overdraftNano: facts.overdraft,
          concurrencyPerAccount: facts.concurrency,
          freeFailuresPerHour: facts.failures === 'unlimited' ? Number.MAX_SAFE_INTEGER : facts.failures,
          tiers: { L: { requestsPerMinute: facts.rpm } },
        },
        retention: { usageDays: facts.retention },
      })
      expect(config.search.priceNano).toBe(facts.search?.price ?? 10_000_000n)
      given.models.forEach((model, at) => {
        expect(config.models[at]).toMatchObject({
          id: model.id,
          name: model.name,
          description: model.description,
          served: [{ engineId: model.engine, engineModel: model.engineModel, weight: model.weight }],
          contextTokens: model.contextTokens,
          constraints: { temperature: { default: model.temperature } },
          prices: {
            inputNanoPerMillion: model.input,
            outputNanoPerMillion: model.output,
            cacheReadNanoPerMillion: model.cacheRead ?? model.input,
            searchNano: facts.search?.price ?? 10_000_000n,
          },
          deniedKeys: new Set(model.denied.map(foldName)),
          ownedBy: facts.ownedBy,
        })
      })
      given.keys.forEach((key, at) => {
        const engine = config.engines[at]
        const revealed = engine?.kind === 'openai' ? (engine.apiKey?.reveal() ?? null) : undefined
        expect(revealed).toBe(key === '' || key === 'none' ? null : key)
      })
    }),
    { numRuns: 100 },
  )
}, 60_000)
