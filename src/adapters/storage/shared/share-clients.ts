import type { GroupClient } from '../groups/group-client.ts'
import { admitWaitMs } from '../groups/money-store.ts'
import type { Operation } from '../groups/operations.ts'
import { packStoreError } from '../groups/pack-store-error.ts'
import type { StoreClients } from '../groups/store-proxies.ts'
import { decodeOperation, encodeResult, type OperationWire, type ResultWire } from '../groups/wire/group-wire.ts'

/** A group that a client of another process sends to the client of the same name in this one. */
export interface SharedGroup {
  readonly client: keyof StoreClients
  readonly group: readonly OperationWire[]
}

/** Its results, in the group's order. */
export type SharedResults = readonly ResultWire[]

/** The longest that anything may take here; the one who asked gives up at its own time. */
const reportWaitMs = 600_000
const usualWaitMs = 10_000

/**
 * Runs groups of other processes: their operations join those of this process, and of all others, in the groups of its own
 * clients. Each is tried once. One that its process keeps is tried again by that process, which is harmless: a hold is
 * resolved once, whoever asks how often.
 */
export function shareClients(clients: StoreClients): (shared: SharedGroup) => Promise<SharedResults> {
  return ({ client, group }) => {
    const waitMs = client === 'reports' ? reportWaitMs : usualWaitMs
    return Promise.all(group.map(wire => runShared(clients[client], decodeOperation(wire), waitMs)))
  }
}

async function runShared(client: GroupClient, operation: Operation, waitMs: number): Promise<ResultWire> {
  try {
    // Which processes are gone is known to the one that started them.
    if (operation.kind === 'resolve') throw new Error('holds are recovered by the process that opened the store')
    const value = await client.run(operation, { waitMs: operation.kind === 'admit' ? admitWaitMs : waitMs })
    return encodeResult(operation.kind, { value })
  } catch (error) {
    return encodeResult(operation.kind, { error: packStoreError(error) })
  }
}
