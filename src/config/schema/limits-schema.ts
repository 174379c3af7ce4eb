import { z } from 'zod'
import { limit, whole } from './fields.ts'
import { usd } from './usd.ts'

function tier(name: string, requests: number, tokens: number) {
  return z
    .strictObject({
      rpm: limit().default(requests).describe('Requests per minute.'),
      tpm: limit().default(tokens).describe('Tokens per minute, prompt and answer together.'),
      rpd: limit().default('unlimited').describe('Requests per day, which begins at 00:00 UTC.'),
    })
    .prefault({})
    .describe(`Models of tier ${name}, per account.`)
}

export const limitsSchema = z
  .strictObject({
    overdraftUsd: usd().prefault(0.5).describe('How far a soft account may end below zero. Strict accounts never do.'),
    concurrencyPerAccount: limit().default(50).describe('Requests of one account at a time.'),
    freeFailuresPerHour: limit()
      .default(20)
      .describe('Failures per account and hour that are free by policy; beyond them, delivered tokens are charged.'),
    errorBudget: z
      .strictObject({
        failed: limit()
          .default(50)
          .describe('Requests of one key, model and user that may fail in the window. 0 refuses all, failed or not.'),
        unsupported: limit().default(200).describe('Likewise, requests for what a model or its engine cannot do.'),
        windowSeconds: whole(1, 86_400).default(30).describe('The window, which begins with the first failure.'),
      })
      .prefault({})
      .describe('What clients of /api/v1 may fail with before they are refused until the window ends.'),
    tiers: z
      .strictObject({
        XS: tier('XS', 500, 1_000_000),
        S: tier('S', 75, 750_000),
        M: tier('M', 50, 750_000),
        L: tier('L', 20, 500_000),
      })
      .prefault({})
      .describe('Rates by tier of the model.'),
  })
  .prefault({})
  .describe('Bounds. 0 means zero; write unlimited where there shall be none.')

export const billingSchema = z
  .strictObject({
    billPartial: z
      .enum(['none', 'delivered'])
      .default('none')
      .describe(
        'When engine or gateway fail in mid-answer. none: the answer is free. delivered: its tokens are charged.',
      ),
  })
  .prefault({})
  .describe('Choices about charging.')

export const retentionSchema = z
  .strictObject({
    usageDays: limit().default(400).describe('How long usage records are kept; the money entries stay for ever.'),
    idempotencyHours: limit().default(24).describe('How long an answer can be replayed by its Idempotency-Key.'),
  })
  .prefault({})
  .describe('How long things are kept.')

export const cacheSchema = z
  .strictObject({
    shared: z.boolean().default(false).describe('true: accounts share what was searched and read.'),
    searchSeconds: whole(0, 86_400).default(300).describe('How long search results are reused; 0 reuses none.'),
    pageSeconds: whole(0, 86_400).default(600).describe('How long pages that were read are reused; 0 reuses none.'),
  })
  .prefault({})
  .describe('Reuse of search results and pages.')
