import type { ChargeKind, ChargeLine } from '../../../../core/price.ts'
import type { Usage } from '../../../../core/usage.ts'
import type { Attempt, UsageRecord } from '../../../../domain/usage/types.ts'
import { type JsonValue, parseJson } from '../../../../lib/json.ts'
import { damaged, listOf, numberOf, textOf, textOrNull } from './stored-text.ts'

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

/**
 * A list in this order instead of an object with names: there is one for every request, and names were half of its bytes.
 * New members go to the end.
 */
export function encodeUsageDetails(record: UsageDetails): string {
  const { requestId, priceVersion, surface, engine, engineCompletionId, status, stream, usage, attempts } = record
  return JSON.stringify([
    requestId,
    priceVersion,
    surface,
    engine,
    engineCompletionId,
    status,
    stream,
    [usage.promptTokens, usage.completionTokens, usage.cachedTokens, usage.cacheWriteTokens, usage.reasoningTokens],
    record.usageSource,
    record.finishReason,
    attempts.map(attempt => [attempt.node, attempt.status, attempt.ms]),
    record.firstByteMs,
    record.totalMs,
  ])
}

/** @throws RangeError when the text is not what encodeUsageDetails writes. */
export function decodeUsageDetails(text: string): UsageDetails {
  const [requestId, priceVersion, surface, engine, engineCompletionId, ...rest] = listOf(parseJson(text))
  const [status, stream, usage, usageSource, finishReason, attempts, firstByteMs, totalMs] = rest
  return {
    requestId: textOf(requestId),
    priceVersion: textOf(priceVersion),
    surface: textOf(surface),
    engine: textOrNull(engine),
    engineCompletionId: textOrNull(engineCompletionId),
    status: numberOf(status),
    stream: stream === true,
    usage: usageOf(usage),
    usageSource: usageSource === 'engine' ? 'engine' : 'estimated',
    finishReason: textOrNull(finishReason),
    attempts: listOf(attempts).map(attemptOf),
    firstByteMs: firstByteMs === null ? null : numberOf(firstByteMs),
    totalMs: numberOf(totalMs),
  }
}

/** Charge lines as `[[kind, quantity, "nano"], …]`: amounts are text, because JSON numbers end at 2^53. */
export function encodeChargeLines(lines: readonly ChargeLine[]): string {
  return JSON.stringify(lines.map(line => [line.kind, line.quantity, line.amountNano.toString()]))
}

const chargeKinds: readonly ChargeKind[] = [
  'input',
  'cache_read',
  'cache_write',
  'output',
  'search',
  'document',
  'page',
]

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
  const [node, status, ms] = listOf(value)
  return { node: textOf(node), status: typeof status === 'string' ? status : numberOf(status), ms: numberOf(ms) }
}

function usageOf(value: JsonValue | undefined): Usage {
  const [promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens] = listOf(value)
  return {
    promptTokens: numberOf(promptTokens),
    completionTokens: numberOf(completionTokens),
    cachedTokens: numberOf(cachedTokens),
    cacheWriteTokens: numberOf(cacheWriteTokens),
    reasoningTokens: numberOf(reasoningTokens),
  }
}
