/** Stands in the pages for text that differs from call to call. */
const anyText = '…'

/** Numbers that differ from call to call: times, and sums over everything that was asked before. */
const changingNumbers = new Set([
  ...['created', 'latency', 'generation_time', 'ms'],
  ...['usage', 'usage_daily', 'usage_weekly', 'usage_monthly', 'limit_remaining'],
  ...['total_credits', 'total_usage', 'balance', 'available', 'balance_before', 'balance_after'],
  ...['accounts', 'transfers', 'usageRecords'],
])

export function matchesText(actual: string, shown: string): boolean {
  const pattern = shown.trim().split(anyText).map(escapePattern).join('[\\s\\S]*')
  return new RegExp(`^${pattern}$`).test(actual.trim())
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/**
 * Where a value differs from the one that a page shows, as paths and reasons. Both must have the same members: what a page
 * shows is the whole answer.
 */
export function differences(actual: unknown, shown: unknown, path = ''): string[] {
  if (Array.isArray(shown) && Array.isArray(actual)) {
    if (shown.length !== actual.length) return [`${path}: ${actual.length} items instead of ${shown.length}`]
    return shown.flatMap((item, index) => differences(actual[index], item, `${path}[${index}]`))
  }
  if (isObject(shown) && isObject(actual)) {
    const names = [...new Set([...Object.keys(shown), ...Object.keys(actual)])]
    return names.flatMap(name => memberDifferences(actual, shown, { name, path: `${path}.${name}` }))
  }
  if (typeof shown === 'string' && typeof actual === 'string' && matchesText(actual, shown)) return []
  return Object.is(actual, shown) ? [] : [`${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(shown)}`]
}

type JsonObject = Readonly<Record<string, unknown>>

function memberDifferences(
  actual: JsonObject,
  shown: JsonObject,
  { name, path }: { name: string; path: string },
): string[] {
  if (!Object.hasOwn(actual, name)) return [`${path}: is missing`]
  if (!Object.hasOwn(shown, name)) return [`${path}: is not shown: ${JSON.stringify(actual[name])}`]
  const bothNumbers = typeof actual[name] === 'number' && typeof shown[name] === 'number'
  if (bothNumbers && changingNumbers.has(name)) return []
  return differences(actual[name], shown[name], path)
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
