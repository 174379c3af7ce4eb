import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts'

/** Tool calls that are being joined, and which call each index speaks of at the moment. */
export interface ToolCalls {
  readonly calls: JsonObject[]
  readonly callAtIndex: Map<number, number>
}

export function createToolCalls(): ToolCalls {
  return { calls: [], callAtIndex: new Map() }
}

/**
 * Joins pieces of tool calls. A piece belongs to the call with its id, else to the call that last used its index: some
 * engines number every call 0, and the arguments of two calls must not run together.
 */
export function collectToolCalls(toolCalls: ToolCalls, pieces: readonly JsonValue[]): void {
  for (const piece of pieces) {
    if (!isJsonObject(piece)) continue
    const { index, ...rest } = piece
    const place = findPlace(toolCalls, index, rest['id'])
    const before = toolCalls.calls[place]
    toolCalls.calls[place] = before === undefined ? rest : joinCall(before, rest)
    if (typeof index === 'number') toolCalls.callAtIndex.set(index, place)
  }
}

function findPlace({ calls, callAtIndex }: ToolCalls, index: JsonValue | undefined, id: JsonValue | undefined): number {
  if (typeof id === 'string' && id !== '') {
    const known = calls.findIndex(call => call['id'] === id)
    return known === -1 ? calls.length : known
  }
  if (typeof index === 'number') return callAtIndex.get(index) ?? calls.length
  return Math.max(0, calls.length - 1)
}

function joinCall(call: JsonObject, piece: JsonObject): JsonObject {
  const before = call['function']
  const added = piece['function']
  if (!isJsonObject(before) || !isJsonObject(added)) return { ...call, ...piece }
  const text = [before['arguments'], added['arguments']].filter(value => typeof value === 'string').join('')
  return { ...call, ...piece, function: { ...before, ...added, arguments: text } }
}
