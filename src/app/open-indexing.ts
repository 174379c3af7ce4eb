import { createGuardedFetch } from '../adapters/outbound/guarded-fetch.ts'
import { hostKey } from '../adapters/outbound/judge-address.ts'
import { documentFiles } from '../adapters/system/document-files.ts'
import type { Config } from '../config/config.ts'
import type { IndexingPorts } from '../pipeline/index-documents.ts'
import { createDocuments } from './create-documents.ts'
import type { Ground } from './ground.ts'
import { hostRulesOf } from './host-rules.ts'
import { openIndex } from './open-index.ts'

export { indexDocuments } from '../pipeline/index-documents.ts'
export { openIndex } from './open-index.ts'

interface Indexing extends IndexingPorts {
  close(): Promise<void>
}

/** Everything that adding documents needs. The addresses are the operator's own, so that they may be private. */
export async function openIndexing(config: Config, ground: Ground, addresses: readonly string[]): Promise<Indexing> {
  const index = await openIndex(config)
  const documents = createDocuments(config, ground)
  const rules = hostRulesOf(config)
  const allowHosts = new Set([...rules.allowHosts, ...addresses.filter(isAddress).map(keyOf)])
  return {
    ...{ index, reader: documents.reader, pages: documents.pages, files: documentFiles, clock: ground.clock },
    fetch: createGuardedFetch({ rules: () => ({ ...rules, allowHosts }), clock: ground.clock }),
    async close() {
      await Promise.all([index.close(), documents.close()])
    },
  }
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

function keyOf(address: string): string {
  const { protocol, hostname, port } = new URL(address)
  return hostKey(hostname, Number(port || (protocol === 'https:' ? 443 : 80)))
}
