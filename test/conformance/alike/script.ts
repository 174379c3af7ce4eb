import fc from 'fast-check'
import { usd } from '../builders.ts'

/** Whatever gateways may ask of a store, turn by turn; accounts, keys and holds are chosen by number (see play.ts). */
export interface Script {
  readonly keys: readonly KeySetup[]
  readonly turns: readonly { readonly turn: Turn; readonly passedMs: number }[]
}

export type Turn = ValueOf<typeof turn>
export type KeySetup = ValueOf<typeof key>

type ValueOf<A> = A extends fc.Arbitrary<infer Value> ? Value : never

const keyCount = 6

const unlimited = { weight: 2, arbitrary: fc.constant('unlimited' as const) }
const limit = fc.oneof(unlimited, { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 }) })
const tokens = fc.oneof(fc.nat({ max: 600 }), fc.nat({ max: 9_000 }))
const tokenLimit = fc.oneof(unlimited, { weight: 1, arbitrary: tokens })
const who = fc.nat({ max: keyCount - 1 })
const nano = (dollars: number) => fc.bigInt({ min: 0n, max: BigInt(dollars) * usd })
const lines = fc.array(
  fc.record({
    kind: fc.constantFrom('input', 'output', 'search'),
    quantity: fc.nat(),
    amountNano: fc.oneof(nano(1), fc.constant(0n)),
  }),
  { maxLength: 4 },
)

const admission = fc.record({
  who,
  model: fc.constantFrom('a', 'b'),
  fixedNano: fc.oneof(
    { weight: 5, arbitrary: nano(1) },
    { weight: 5, arbitrary: fc.bigInt({ min: usd / 8n, max: usd / 4n }) },
    { weight: 1, arbitrary: fc.constant(10n ** 20n) },
  ),
  outputNanoPerMillion: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 10n ** 11n })),
  choices: fc.integer({ min: 1, max: 4 }),
  outputLimit: fc.nat({ max: 500 }),
  outputLimitMayShrink: fc.boolean(),
  promptTokensBound: fc.nat({ max: 1_000 }),
  free: fc.nat({ max: 7 }).map(one => one === 0),
  overdraftNano: nano(1),
  spendsAllCurrencies: fc.nat({ max: 3 }).map(one => one > 0),
  modelRates: fc.record({ requestsPerMinute: limit, tokensPerMinute: tokenLimit, requestsPerDay: limit }),
  accountConcurrency: limit,
  /** By how much its process's clock is behind. */
  behindMs: fc.oneof(
    { weight: 9, arbitrary: fc.nat({ max: 3_000 }) },
    { weight: 1, arbitrary: fc.nat({ max: 200_000 }) },
  ),
})

const settlement = fc.record({
  which: fc.nat(),
  chargeNano: fc.oneof(nano(2), fc.bigInt({ min: 0n, max: 1_000n })),
  lines,
  writeoffNano: nano(1),
  tokensUsed: fc.nat({ max: 2_000 }),
  freeFailure: fc.option(fc.record({ allowancePerHour: fc.nat({ max: 2 }), chargeNano: nano(1), lines })),
  costDelivered: fc.boolean(),
})

const mark = fc.record({
  which: fc.nat(),
  chargeNano: nano(2),
  promptTokens: fc.nat({ max: 2_000_000 }),
  completionTokens: fc.nat({ max: 500 }),
  fees: fc.record({ searches: fc.nat({ max: 2 }), pages: fc.nat({ max: 5 }) }),
})

const transfer = fc.record({
  who,
  code: fc.constantFrom('grant', 'topup', 'clawback', 'refund', 'usage'),
  currency: fc.constantFrom('usd', 'usd', 'bundled', 'earned', 'diem'),
  amountNano: fc.oneof(fc.bigInt({ min: -1n, max: usd }), fc.bigInt({ min: 1n, max: 1_000n })),
  note: fc.constantFrom('', 'a "note"', '\u{1F600} \n \\'),
  /** Sends the one before it once more. */
  repeats: fc.boolean(),
  which: fc.option(fc.nat()),
})

const lowering = fc.record({ which: fc.nat(), amountNano: nano(3) })

const turn = fc.oneof(
  { weight: 5, arbitrary: fc.record({ admit: fc.array(admission, { minLength: 1, maxLength: 12, size: 'max' }) }) },
  { weight: 5, arbitrary: fc.record({ settle: fc.array(settlement, { minLength: 1, maxLength: 12, size: 'max' }) }) },
  { weight: 3, arbitrary: fc.record({ mark: fc.array(mark, { minLength: 1, maxLength: 6, size: 'max' }) }) },
  { weight: 2, arbitrary: fc.record({ lower: fc.array(lowering, { minLength: 1, maxLength: 6, size: 'max' }) }) },
  { weight: 2, arbitrary: fc.record({ post: fc.array(transfer, { minLength: 1, maxLength: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ resolve: fc.record({ overdue: fc.boolean(), limit: fc.nat({ max: 20 }) }) }) },
)

/** Between turns: mostly less than it takes to fill a bucket, at times hours or weeks. */
const passedMs = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 2_000 }) },
  { weight: 2, arbitrary: fc.nat({ max: 90_000 }) },
  { weight: 1, arbitrary: fc.nat({ max: 4_000_000 }) },
  { weight: 1, arbitrary: fc.nat({ max: 30 * 86_400_000 }) },
)

const key = fc.record({
  limitNano: fc.option(nano(8)),
  limitDiemNano: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: nano(4) }),
  period: fc.constantFrom('epoch', 'month', 'lifetime'),
  requestsPerMinute: fc.option(fc.nat({ max: 40 })),
  tokensPerMinute: fc.option(tokens),
  requestsPerDay: fc.option(fc.nat({ max: 40 })),
  concurrency: fc.option(fc.nat({ max: 30 })),
})

export const script: fc.Arbitrary<Script> = fc.record({
  keys: fc.array(key, { minLength: keyCount, maxLength: keyCount }),
  turns: fc.array(fc.record({ turn, passedMs }), { minLength: 20, maxLength: 30 }),
})

const nothingLimited = {
  requestsPerMinute: 'unlimited',
  tokensPerMinute: 'unlimited',
  requestsPerDay: 'unlimited',
} as const
const easy = admission.map(one => ({
  ...one,
  fixedNano: usd / 4n + (one.fixedNano % (usd / 4n)),
  outputNanoPerMillion: 0n,
  ...{ behindMs: 0, free: false, modelRates: nothingLimited, accountConcurrency: 'unlimited' as const },
}))
/** Holds that take most of what an account has. */
const dear = easy.map(one => ({ ...one, fixedNano: usd + one.fixedNano * 2n - usd / 2n }))
const clawback = transfer.map(one => ({ ...one, code: 'clawback' as const, repeats: false }))
const many = { minLength: 6, maxLength: 12, size: 'max' } as const
const openKey = key.map(({ period }) => ({
  period,
  ...{ limitNano: null, limitDiemNano: null, requestsPerMinute: null, tokensPerMinute: null },
  ...{ requestsPerDay: null, concurrency: null },
}))

/** Holds that the sweeper resolves, money that is spent otherwise, and then the settlements that come late. */
export const lateScript: fc.Arbitrary<Script> = fc.record({
  keys: fc.array(openKey, { minLength: keyCount, maxLength: keyCount }),
  turns: fc.tuple(
    fc.record({ passedMs: fc.constant(0), turn: fc.record({ admit: fc.array(easy, many) }) }),
    fc.record({ passedMs: fc.constant(0), turn: fc.record({ mark: fc.array(mark, many) }) }),
    fc.record({
      passedMs: fc.constant(60_001),
      turn: fc.constant({ resolve: { overdue: true, limit: 20 } }),
    }),
    fc.record({ passedMs, turn: fc.record({ post: fc.array(clawback, { maxLength: 4 }) }) }),
    fc.record({ passedMs, turn: fc.record({ admit: fc.array(dear, many) }) }),
    fc.record({ passedMs, turn: fc.record({ settle: fc.array(settlement, many) }) }),
  ),
})
