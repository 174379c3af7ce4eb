import { createHash, randomBytes } from 'node:crypto'
import { newId, newOrderedCompletionId, newOrderedId } from '../../src/core/ids.ts'
import { noUsage } from '../../src/core/usage.ts'
import type { AdmissionRequest } from '../../src/domain/admission/types.ts'
import type { Account, ApiKey } from '../../src/domain/identity/types.ts'
import type { Settlement, Transfer } from '../../src/domain/ledger/types.ts'
import type { UsageRecord } from '../../src/domain/usage/types.ts'

/** Chance for tests: real, because the stores must not depend on its values. */
export const random = {
  bytes: (count: number) => randomBytes(count),
  hex: (count: number) => randomBytes(count).toString('hex'),
}

/** Noon of a Sunday in the middle of an hour's, a day's and a month's third part. */
export const nowMs = Date.UTC(2026, 10, 15, 12, 20)
export const usd = 1_000_000_000n

export function buildAccount(change: Partial<Account> = {}): Account {
  const id = newId('acc', random)
  return { id, name: id, mode: 'strict', pro: false, diemPerDayNano: 0n, createdAtMs: nowMs, ...change }
}

export function buildKey(accountId: string, change: Partial<ApiKey> = {}): ApiKey {
  return {
    id: newId('key', random),
    accountId,
    label: 'test',
    type: 'inference',
    last6: 'abcdef',
    limitNano: null,
    limitDiemNano: null,
    period: 'lifetime',
    privacy: 'all',
    allowedModels: null,
    requestsPerMinute: null,
    tokensPerMinute: null,
    requestsPerDay: null,
    concurrency: null,
    expiresAtMs: null,
    revokedAtMs: null,
    createdAtMs: nowMs,
    ...change,
  }
}

export function hashOf(key: ApiKey): Buffer {
  return createHash('sha256').update(key.id).digest()
}

/** Asks for a hold of exactly `fixedNano`: output costs nothing and no rate is limited unless the test says so. */
export function buildRequest(key: ApiKey, change: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const madeAtMs = change.nowMs ?? nowMs
  return {
    holdId: newOrderedId('hold', random, madeAtMs),
    requestId: newOrderedId('req', random, madeAtMs),
    generationId: newOrderedCompletionId(random, madeAtMs),
    accountId: key.accountId,
    keyId: key.id,
    model: 'venym/qwen-27b',
    surface: 'v1',
    stream: false,
    fixedNano: usd,
    outputNanoPerMillion: 0n,
    choices: 1,
    outputLimit: 100,
    outputLimitMayShrink: false,
    promptTokensBound: 50,
    free: false,
    priceVersion: 'price_test',
    overdraftNano: usd / 2n,
    spendsAllCurrencies: true,
    modelRates: { requestsPerMinute: 'unlimited', tokensPerMinute: 'unlimited', requestsPerDay: 'unlimited' },
    accountConcurrency: 'unlimited',
    errorBudget: null,
    processId: 'proc_test',
    nowMs,
    deadlineMs: nowMs + 60_000,
    ...change,
  }
}

/** Settles an admitted request for `chargeNano`, as one line of output. */
export function buildSettlement(
  request: AdmissionRequest,
  chargeNano: bigint,
  change: Partial<Omit<Settlement, 'record'>> & { readonly record?: Partial<UsageRecord> } = {},
): Settlement {
  const { record, ...rest } = change
  return {
    holdId: request.holdId,
    chargeNano,
    lines: chargeNano > 0n ? [{ kind: 'output', quantity: 10, amountNano: chargeNano }] : [],
    writeoffNano: 0n,
    tokensUsed: 20,
    freeFailure: null,
    atMs: request.nowMs + 1_000,
    ...rest,
    record: { ...buildRecord(request), ...record },
  }
}

function buildRecord(request: AdmissionRequest): UsageRecord {
  const { requestId, generationId, holdId, accountId, keyId, surface, model, stream, priceVersion } = request
  return {
    ...{ requestId, generationId, holdId, accountId, keyId, surface, model, stream, priceVersion },
    engine: 'node-a',
    engineCompletionId: 'cmpl-1',
    status: 200,
    usage: { ...noUsage, promptTokens: 10, completionTokens: 10 },
    usageSource: 'engine',
    finishReason: 'stop',
    outcome: 'done',
    attempts: [{ node: 'node-a', status: 200, ms: 12 }],
    firstByteMs: 12,
    totalMs: 1_000,
    costDelivered: true,
    createdAtMs: request.nowMs,
  }
}

export function buildGrant(accountId: string, amountNano: bigint, change: Partial<Transfer> = {}): Transfer {
  const id = newId('xfer', random)
  return {
    id,
    code: 'grant',
    debit: 'funding:manual',
    credit: `customer:${accountId}`,
    currency: 'usd',
    amountNano,
    holdId: null,
    note: '',
    idempotencyKey: id,
    createdAtMs: nowMs,
    ...change,
  }
}
