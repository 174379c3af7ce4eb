import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { packSettlement } from '../../src/adapters/storage/groups/money-store.ts'
import { type AdmissionAnswers, decodeAdmission } from '../../src/adapters/storage/postgres/money/admission-answers.ts'
import { askAdmissions } from '../../src/adapters/storage/postgres/money/admissions.ts'
import { decodeSettled, toDbSettlement } from '../../src/adapters/storage/postgres/money/settlements.ts'
import { noOtherFunds, type OtherFunds } from '../../src/core/currency.ts'
import { decideAdmission } from '../../src/domain/admission/decide-admission.ts'
import type { AdmissionRequest, AdmissionState } from '../../src/domain/admission/types.ts'
import { decideCharge } from '../../src/domain/ledger/decide-charge.ts'
import type { BucketState, DayCount, Limit } from '../../src/domain/limits/types.ts'
import { admissionRequest, admissionTestNow as now } from '../support/admission-builders.ts'
import { createDatabase, query } from '../support/postgres/index.ts'
import { buildSettlement, usd } from './builders.ts'
import { openPostgres } from './open-test-storage.ts'

/*
 * The decisions in the database against those in the domain, over states that no sequence of requests may ever reach. Every
 * member must be equal, levels of buckets to the last bit.
 */

const cases = process.env['RIALTO_TEST_LONG'] === '1' ? 100_000 : 2_000
const casesAtOnce = 1_000
const seed = Date.now()

let url: string

beforeAll(async () => {
  url = (await createDatabase()).url
  await (await openPostgres(url)).close()
})

/** Random values, a bounded number at a time. */
async function forSome<T>(arbitrary: fc.Arbitrary<T>, check: (values: readonly T[]) => Promise<void>): Promise<void> {
  for (let done = 0; done < cases; done += casesAtOnce)
    await check(fc.sample(arbitrary, { seed: seed + done, numRuns: Math.min(casesAtOnce, cases - done) }))
}

const amount = fc.oneof(
  fc.bigInt({ min: -2n * usd, max: 5n * usd }),
  fc.bigInt({ min: 0n, max: 2_000n }),
  fc.bigInt({ min: -(2n ** 61n), max: 2n ** 61n }),
)
const natural = amount.map(value => (value < 0n ? -value : value))
const limit = fc.oneof(fc.constant('unlimited' as const), fc.nat({ max: 60 }), fc.nat({ max: 1_000_000 }))
const moment = fc.oneof(
  fc.integer({ min: now - 120_000, max: now + 120_000 }),
  fc.integer({ min: now - 90 * 86_400_000, max: now }),
  fc.constantFrom(now, now, now, now - 60_000, now + 60_000, now + 60_001),
)
/** Now and then a hair below a whole number, which counts as that number. */
const level = fc.oneof(
  fc.double({ min: 0, max: 1_000_000, noNaN: true }),
  fc.integer({ min: 1, max: 3 }).map(whole => whole - 5e-7),
)
const bucket = fc.option(fc.record({ level, atMs: moment }))
const rates = fc.record({
  requestsPerMinute: limit,
  tokensPerMinute: limit,
  requestsPerDay: fc.oneof(limit, fc.nat({ max: 4 })),
})

function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
}

const day = Math.floor(now / 86_400_000)
const funds = fc.record({
  diemPerDayNano: fc.oneof(natural, fc.constant(0n)),
  diemDay: fc.constantFrom(0, day - 1, day, day + 1),
  diemSpentNano: fc.oneof(natural, fc.constant(0n)),
  diemHeldNano: fc.oneof(natural, fc.constant(0n)),
  earnedNano: fc.oneof(amount, fc.constant(0n)),
  earnedHeldNano: fc.oneof(natural, fc.constant(0n)),
  bundledNano: fc.oneof(amount, fc.constant(0n)),
  bundledHeldNano: fc.oneof(natural, fc.constant(0n)),
})
/** What the store reads as nothing but dollars. */
const knownFunds = fc
  .option(funds)
  .map(some =>
    some === null ||
    some.diemPerDayNano + BigInt(some.diemDay) + absolute(some.earnedNano) + absolute(some.bundledNano) === 0n
      ? null
      : some,
  )

function absolute(nano: bigint): bigint {
  return nano < 0n ? -nano : nano
}

const dayCount = fc.option(
  fc.record({ day: fc.constantFrom(day - 1, day, day, day + 1, day + 2), requests: fc.nat({ max: 6 }) }),
)

const state: fc.Arbitrary<AdmissionState> = fc.record({
  mode: fc.constantFrom('soft', 'strict'),
  balanceNano: amount,
  heldNano: natural,
  openHolds: fc.nat({ max: 60 }),
  funds: knownFunds,
  modelRequests: bucket,
  modelTokens: bucket,
  modelDay: dayCount,
  key: fc.record({
    revokedAtMs: seldom(moment),
    expiresAtMs: seldom(moment),
    limitNano: fc.option(natural),
    limitDiemNano: fc.option(natural),
    period: fc.constantFrom('epoch', 'month', 'lifetime'),
    periodStartMs: fc.oneof(fc.constant(0), moment),
    spentNano: natural,
    spentDiemNano: natural,
    heldNano: natural,
    heldDiemNano: natural,
    openHolds: fc.nat({ max: 60 }),
    concurrency: fc.option(fc.nat({ max: 60 })),
    rates,
    requests: bucket,
    tokens: bucket,
    day: dayCount,
  }),
})

const request: fc.Arbitrary<AdmissionRequest> = fc
  .record({
    fixedNano: fc.oneof({ weight: 9, arbitrary: natural }, { weight: 1, arbitrary: fc.constant(10n ** 25n) }),
    outputNanoPerMillion: fc.oneof(fc.constant(0n), natural, fc.bigInt({ min: 1n, max: 10n ** 11n })),
    choices: fc.integer({ min: 1, max: 128 }),
    outputLimit: fc.oneof(fc.nat({ max: 200 }), fc.nat({ max: 1_000_000 })),
    outputLimitMayShrink: fc.boolean(),
    promptTokensBound: fc.nat({ max: 2_000_000 }),
    free: fc.boolean(),
    overdraftNano: natural,
    spendsAllCurrencies: fc.boolean(),
    modelRates: rates,
    accountConcurrency: limit,
    nowMs: moment,
  })
  .map(change => admissionRequest(change))

/** Money that is just enough, or a nano-dollar short, for some tokens of output. */
const tightCase = fc
  .record({
    known: state,
    asked: request,
    tokens: fc.oneof(fc.integer({ min: 13, max: 18 }), fc.nat({ max: 100 })),
    offNano: fc.bigInt({ min: -1n, max: 1n }),
    ofKey: fc.boolean(),
    nothing: fc.boolean(),
  })
  .map(({ known, asked, tokens, offNano, ofKey, nothing }): Case => {
    const paidNano = asked.fixedNano + (BigInt(asked.choices * tokens) * asked.outputNanoPerMillion) / 1_000_000n
    const overdraftNano = known.mode === 'soft' ? asked.overdraftNano : 0n
    const availableNano = (nothing ? 0n : paidNano - overdraftNano) + offNano
    const usedNano = known.key.heldNano + (known.key.period === 'lifetime' ? known.key.spentNano : 0n)
    // Other currencies only add to what there is.
    if (!ofKey) return [{ ...known, balanceNano: availableNano + known.heldNano, key: openKey(known.key) }, asked]
    const key = { ...openKey(known.key), limitNano: availableNano + usedNano }
    return [{ ...known, balanceNano: 2n ** 62n, heldNano: 0n, key }, asked]
  })
  .filter(([{ balanceNano, key }]) => isBigint(balanceNano) && isBigint(key.limitNano ?? 0n))

type Case = readonly [AdmissionState, AdmissionRequest]

function openKey(key: AdmissionState['key']): AdmissionState['key'] {
  return { ...key, limitNano: null, limitDiemNano: null, revokedAtMs: null, expiresAtMs: null }
}

function isBigint(nano: bigint): boolean {
  return -(2n ** 63n) <= nano && nano < 2n ** 63n
}

it('admits, refuses, holds and counts as the domain decides', async () => {
  const text = `
    select json_agg(json_build_object(
      'keys', json_build_array(json_build_array(wanted -> 'key' -> 'requests_per_minute', wanted -> 'key' -> 'tokens_per_minute')),
      'answers', json_build_array(rialto_admission_answer(rialto_decide_admission(
        json_populate_record(null::accounts, wanted -> 'account'),
        json_populate_record(null::api_keys, wanted -> 'key'),
        json_populate_record(null::rate_buckets, wanted -> 'modelBucket'),
        json_populate_record(null::rate_buckets, wanted -> 'keyBucket'),
        json_populate_record(null::rialto_admission_request, wanted -> 'request'))))) order by ordinality) as decided
    from json_array_elements($1) with ordinality as listed(wanted)`
  await forSome<Case>(fc.oneof(fc.tuple(state, request), tightCase), async pairs => {
    const wanted = JSON.stringify(pairs.map(([known, asked]) => toDbCase(known, asked)))
    const [row] = await query<{ decided: readonly AdmissionAnswers[] }>(url, text, [wanted])
    for (const [index, [known, asked]] of pairs.entries()) {
      const { keys, answers } = row?.decided[index] ?? { keys: [], answers: [] }
      const [[keyRates], [answer]] = [keys, answers]
      if (keyRates === undefined || answer === undefined) throw new Error('every case has an answer')
      const told = { seed, known, asked, decision: decodeAdmission(answer, asked, keyRates) }
      expect(told).toEqual({ seed, known, asked, decision: decideAdmission(known, asked) })
    }
  })
})

function toDbCase(known: AdmissionState, asked: AdmissionRequest): object {
  const { key } = known
  return {
    account: {
      no: 1,
      mode: known.mode,
      balance_nano: known.balanceNano.toString(),
      held_nano: known.heldNano.toString(),
      open_holds: known.openHolds,
      ...toDbFunds(known.funds ?? noOtherFunds),
    },
    key: {
      account_no: 1,
      revoked_at_ms: key.revokedAtMs,
      expires_at_ms: key.expiresAtMs,
      limit_nano: key.limitNano?.toString() ?? null,
      limit_diem_nano: key.limitDiemNano?.toString() ?? null,
      spent_diem_nano: key.spentDiemNano.toString(),
      held_diem_nano: key.heldDiemNano.toString(),
      period: key.period,
      period_start_ms: key.periodStartMs,
      spent_nano: key.spentNano.toString(),
      held_nano: key.heldNano.toString(),
      open_holds: key.openHolds,
      concurrency: key.concurrency,
      requests_per_minute: toDbLimit(key.rates.requestsPerMinute),
      tokens_per_minute: toDbLimit(key.rates.tokensPerMinute),
      requests_per_day: toDbLimit(key.rates.requestsPerDay),
    },
    modelBucket: toDbBucket(known.modelRequests, known.modelTokens, known.modelDay),
    keyBucket: toDbBucket(key.requests, key.tokens, key.day),
    request: askAdmissions([asked]).requests[0],
  }
}

function toDbFunds(known: OtherFunds): object {
  return {
    diem_per_day_nano: known.diemPerDayNano.toString(),
    diem_day: known.diemDay,
    diem_spent_nano: known.diemSpentNano.toString(),
    diem_held_nano: known.diemHeldNano.toString(),
    earned_nano: known.earnedNano.toString(),
    earned_held_nano: known.earnedHeldNano.toString(),
    bundled_nano: known.bundledNano.toString(),
    bundled_held_nano: known.bundledHeldNano.toString(),
  }
}

function toDbLimit(value: Limit): number | null {
  return value === 'unlimited' ? null : value
}

function toDbBucket(requests: BucketState | null, tokens: BucketState | null, counted: DayCount | null): object {
  return {
    requests_level: requests?.level ?? null,
    requests_at_ms: requests?.atMs ?? null,
    tokens_level: tokens?.level ?? null,
    tokens_at_ms: tokens?.atMs ?? null,
    day: counted?.day ?? null,
    day_requests: counted?.requests ?? null,
  }
}

const lines = fc.array(
  fc.record({ kind: fc.constantFrom('input', 'output'), quantity: fc.nat(), amountNano: natural }),
  {
    maxLength: 4,
  },
)
const settlement = fc.record({
  chargeNano: natural,
  lines,
  writeoffNano: natural,
  freeFailure: fc.option(fc.record({ allowancePerHour: fc.nat({ max: 3 }), chargeNano: natural, lines })),
})
const heldFacts = fc.record({ heldNano: natural, freeFailuresInHour: fc.nat({ max: 4 }) })

it('charges, caps and writes off as the domain decides', async () => {
  const text = `
    select json_agg(json_build_array(
      decided.charged_nano::text, decided.lines, decided.writeoff_nano::text, decided.used_free_failure) order by ordinality)
      as decided
    from json_array_elements($1) with ordinality as listed(wanted)
    cross join lateral rialto_decide_charge(
      json_populate_record(null::rialto_settlement, wanted -> 'settlement'),
      (wanted ->> 'heldNano')::numeric, (wanted ->> 'freeFailuresInHour')::bigint) decided`
  await forSome(fc.tuple(settlement, heldFacts), async pairs => {
    const asked = pairs.map(([change]) =>
      packSettlement(buildSettlement(admissionRequest(), change.chargeNano, change)),
    )
    const wanted = pairs.map(([, { heldNano, freeFailuresInHour }], index) => ({
      settlement: toDbSettlement(asked[index] ?? neverAsked(), { swept: false }),
      heldNano: heldNano.toString(),
      freeFailuresInHour,
    }))
    const [row] = await query<{ decided: readonly Charged[] }>(url, text, [JSON.stringify(wanted)])
    for (const [index, [change, facts]] of pairs.entries()) {
      const [chargedNano, chargedLines, writeoffNano, usedFreeFailure] = row?.decided[index] ?? neverAsked()
      const { effect, paid, ...charge } = decodeSettled([chargedNano, chargedLines, null], asked[index] ?? neverAsked())
      const told = { ...charge, writeoffNano: BigInt(writeoffNano), usedFreeFailure }
      expect({ seed, change, facts, told }).toEqual({ seed, change, facts, told: decideCharge(change, facts) })
    }
  })
})

type Charged = readonly [chargedNano: string, lines: string, writeoffNano: string, usedFreeFailure: boolean]

function neverAsked(): never {
  throw new Error('every case has an answer')
}
