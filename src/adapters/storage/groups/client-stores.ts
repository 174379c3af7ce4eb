import type { Seal } from '../sql/seal.ts'
import { sealDocuments } from '../sql/seal-documents.ts'
import { sealIdempotency } from '../sql/seal-idempotency.ts'
import type { Storage } from '../storage.ts'
import { createMoneyStore } from './money-store.ts'
import {
  createBooksProxy,
  createDocumentsProxy,
  createFailuresProxy,
  createIdempotencyProxy,
  createIdentityProxy,
  createRefusalsProxy,
  createUsageProxy,
  type StoreClients,
} from './store-proxies.ts'

const probeWaitMs = 3_000

/** Every port as a proxy over clients. They are closed by whoever opened them. */
export function createClientStores(clients: StoreClients, seal: Seal): Omit<Storage, 'close'> {
  const money = createMoneyStore({ admissions: clients.writer, settlements: clients.writer })
  return {
    identity: createIdentityProxy(clients),
    ledger: { ...money, ...createBooksProxy(clients) },
    admission: money,
    usage: createUsageProxy(clients),
    idempotency: sealIdempotency(createIdempotencyProxy(clients), seal),
    documents: sealDocuments(createDocumentsProxy(clients), seal),
    refusals: createRefusalsProxy(clients),
    failures: createFailuresProxy(clients),
    // A file notifies nobody: documents are looked at every half second.
    watchDocuments: () => () => undefined,
    isShared: false,
    health: () => clients.writer.run({ kind: 'probe' }, { waitMs: probeWaitMs }),
  }
}
