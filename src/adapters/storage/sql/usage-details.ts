import type { ChargeKind, ChargeLine } from '../../../core/price.ts'
import type { Usage } from '../../../core/usage.ts'
import type { Attempt, UsageRecord } from '../../../domain/usage/types.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../lib/json.ts'

/** What a usage record explains beyond what it can be searched for: one JSON text, written and read as a whole. */
export type UsageDetails = Pick<
  UsageRecord,
  | 'requestId'
  | 'priceVersion'
  | 'surface'
  | 'engine'
  | 'engineCompletionId'
  | 'status'
  | 'stream'
  | 'usage'
  | 'usageSource'
  | 'finishReason'
  | 'attempts'
  | 'firstByteMs'
  | 'totalMs'
>

export function encodeUsageDetails(record: UsageDetails): string {
  const { requestId, priceVersion, surface, engine, engineCompletionId, status, stream, usage } = record
  const { usageSource, finishReason, attempts, firstByteMs, totalMs } = record
  return JSON.stringify({
    requestId,
    priceVersion,
    surface,
    engine,
    engineCompletionId,
    status,
    stream,
    usage,
    usageSource,
    finishReason,
    attempts,
    firstByteMs,
    totalMs,
  })
}

/** @throws RangeError when the text is not what encodeUsageDetails writes. */
export function decodeUsageDetails(text: string): UsageDetails {
  const details = parseJson(text)
  if (!isJsonObject(details)) throw damaged()
  return {
    requestId: textOf(details['requestId']),
    priceVersion: textOf(details['priceVersion']),
    surface: textOf(details['surface']),
    engine: textOrNull(details['engine']),
    engineCompletionId: textOrNull(details['engineCompletionId']),
    status: numberOf(details['status']),
    stream: details['stream'] === true,
    usage: usageOf(details['usage']),
    usageSource: details['usageSource'] === 'engine' ? 'engine' : 'estimated',
    finishReason: textOrNull(details['finishReason']),
    attempts: listOf(details['attempts']).map(attemptOf),
    firstByteMs: details['firstByteMs'] === null ? null : numberOf(details['firstByteMs']),
    totalMs: numberOf(details['totalMs']),
  }
}

/** Charge lines as `[[kind, quantity, "nano"], …]`: amounts are text, because JSON numbers end at 2^53. */
export function encodeChargeLines(lines: readonly ChargeLine[]): string {
  return JSON.stringify(lines.map(line => [line.kind, line.quantity, line.amountNano.toString()]))
}

const chargeKinds: readonly ChargeKind[] = ['input', 'cache_read', 'cache_write', 'output', 'search']

/** @throws RangeError when the text is not what encodeChargeLines writes. */
export function decodeChargeLines(text: string): readonly ChargeLine[] {
  return listOf(parseJson(text)).map(line => {
    const [name, quantity, amount] = listOf(line)
    const kind = chargeKinds.find(known => known === name)
    if (kind === undefined || !/^\d{1,19}$/.test(textOf(amount))) throw damaged()
    return { kind, quantity: numberOf(quantity), amountNano: BigInt(textOf(amount)) }
  })
}

function attemptOf(value: JsonValue): Attempt {
  const { node, status, ms } = objectOf(value)
  return { node: textOf(node), status: typeof status === 'string' ? status : numberOf(status), ms: numberOf(ms) }
}

function usageOf(value: JsonValue | undefined): Usage {
  const usage = objectOf(value)
  return {
    promptTokens: numberOf(usage['promptTokens']),
    completionTokens: numberOf(usage['completionTokens']),
    cachedTokens: numberOf(usage['cachedTokens']),
    cacheWriteTokens: numberOf(usage['cacheWriteTokens']),
    reasoningTokens: numberOf(usage['reasoningTokens']),
  }
}

function objectOf(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw damaged()
  return value
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (!Array.isArray(value)) throw damaged()
  return value
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw damaged()
  return value
}

function textOrNull(value: JsonValue | undefined): string | null {
  return value === null || value === undefined ? null : textOf(value)
}

function numberOf(value: JsonValue | undefined): number {
  if (typeof value !== 'number') throw damaged()
  return value
}

function damaged(): RangeError {
  return new RangeError('a stored usage record is damaged')
}
