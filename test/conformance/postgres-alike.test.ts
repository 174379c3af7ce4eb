import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OperationResult } from '../../src/adapters/storage/groups/operations.ts'
import { type Play, playOf, priceVersion } from './alike/play.ts'
import { lateScript, type Script, script } from './alike/script.ts'
import { type ComparedStore, openTwoStores } from './alike/two-stores.ts'
import { hashOf } from './builders.ts'

/** Scripts of 20 to 30 turns of up to 12 operations. */
const runs = process.env['RIALTO_TEST_LONG'] === '1' ? 200 : 8
const longEnough = { timeout: runs * 10_000 }

const written: readonly (readonly [table: string, columns: string])[] = [
  [
    'accounts',
    'no, id, balance_nano, held_nano, open_holds, credited_nano, debited_nano, free_failure_hour, free_failures,' +
      ' diem_day, diem_spent_nano, diem_held_nano, earned_nano, earned_held_nano, bundled_nano, bundled_held_nano',
  ],
  ['api_keys', 'no, id, period_start_ms, spent_nano, held_nano, open_holds, spent_diem_nano, held_diem_nano'],
  // One without a level is as good as none.
  [
    '(select * from rate_buckets where requests_level is not null or tokens_level is not null) used',
    'account_no, key_no, model, requests_level, requests_at_ms, tokens_level, tokens_at_ms, day, day_requests',
  ],
  [
    'holds',
    'seq, id, account_no, key_no, amount_nano, facts, parts, mark_charge_nano, mark_prompt_tokens, mark_completion_tokens,' +
      ' mark_searches, mark_pages',
  ],
  [
    'usage_records',
    'hold_seq, hold_id, generation_id, account_no, key_no, model, outcome, held_nano, cost_nano, writeoff_nano,' +
      ' balance_before_nano, cost_delivered, created_at_ms, lines, details, swept, overdraft_nano, balance_after_nano, held_parts,' +
      ' paid_parts, diem_nano',
  ],
  [
    'transfers',
    'seq, id, code, debit, credit, asset, amount_nano, customer_no, balance_after_nano, hold_seq, line, note,' +
      ' idempotency_key, created_at_ms, hash',
  ],
  ['ledger_head', 'transfer_seq, transfer_hash'],
]

async function openWithPrices(): Promise<readonly [ComparedStore, ComparedStore]> {
  const prices = { inputNanoPerMillion: 250_000_000n, outputNanoPerMillion: 1_000_000_000n }
  const nothing = { cacheReadNanoPerMillion: 0n, cacheWriteNanoPerMillion: 0n, searchNano: 11n, pageNano: 3n }
  const stores = await openTwoStores()
  for (const store of stores) await store.ledger.rememberPrices([{ version: priceVersion, ...prices, ...nothing }])
  return stores
}

async function prepare(store: ComparedStore, { accounts, keys }: Play): Promise<void> {
  for (const account of accounts) await store.identity.createAccount(account)
  for (const key of keys) await store.identity.createKey(key, hashOf(key))
}

/** What is refused is refused with an error of the same kind. */
function told(results: readonly OperationResult[]): unknown {
  return results.map(result => ('error' in result ? result.error.name : result.value))
}

async function playToBoth(scripts: fc.Arbitrary<Script>, numRuns: number): Promise<void> {
  const [sqlite, postgres] = await openWithPrices()
  await fc.assert(
    fc.asyncProperty(scripts, async wanted => {
      const play = playOf(wanted)
      await prepare(sqlite, play)
      await prepare(postgres, play)
      for (const group of play.groups) {
        const [here, there] = await Promise.all([sqlite.channel.run(group), postgres.channel.run(group)])
        expect(told(there)).toEqual(told(here))
      }
    }),
    { numRuns, endOnFailure: true },
  )
  for (const [table, columns] of written)
    expect(await postgres.rows(table, columns), table).toEqual(await sqlite.rows(table, columns))
  // Lines are made up here, so that their sums and prices are not those that a gateway would have sent.
  const { problems, ...counts } = await sqlite.ledger.verify()
  expect(problems.filter(problem => !/its charge lines|its price says|^and \d+ more/.test(problem))).toEqual([])
  expect(await postgres.ledger.verify()).toEqual({ problems, ...counts })
}

describe('PostgreSQL says and writes the same as SQLite', () => {
  it('whatever is asked in whatever order', longEnough, () => playToBoth(script, runs))
  it('when settlements come late', longEnough, () => playToBoth(lateScript, runs * 3))
})
