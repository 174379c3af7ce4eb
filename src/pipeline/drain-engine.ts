import { GatewayError } from '../core/gateway-error.ts'
import type { RequestId } from '../core/ids.ts'
import type { Logger } from '../core/logger.ts'
import type { Engines } from '../domain/engines/engines.ts'
import type { NodeView } from '../domain/engines/types.ts'
import { changeDocument, openContent } from '../domain/replicas/change-document.ts'
import { changeDrains, type DrainChange, decodeDrains, drainsDocument } from '../domain/replicas/engine-drains.ts'
import type { SharedDocuments } from '../domain/replicas/shared-documents.ts'
import type { SharedDocument } from '../domain/replicas/types.ts'

export interface DrainDependencies {
  readonly documents: SharedDocuments
  readonly engines: Pick<Engines, 'views' | 'setDrained'>
  readonly logger: Logger
  /** Has `apply` called with what is stored now. */
  readonly refresh: () => Promise<void>
}

/** Takes engines out of service, and back, on every gateway of the installation (operator.md §4). */
export interface EngineDrains {
  /**
   * Resolves with this gateway's view of the node when the change holds here; elsewhere it does within a second.
   * @throws GatewayError not_found, StoreUnavailable
   */
  set(change: DrainChange, requestId: RequestId): Promise<NodeView>
  /** Follows what is stored. @throws Error when it is not what this version writes */
  apply(document: SharedDocument): void
}

export function createEngineDrains({ documents, engines, logger, refresh }: DrainDependencies): EngineDrains {
  function viewOf(id: string): NodeView {
    const view = engines.views().find(node => node.id === id)
    if (view === undefined) throw new GatewayError('not_found', 'There is no engine with this id.', { param: 'id' })
    return view
  }

  return {
    async set(change, requestId) {
      const { id, drained } = change
      viewOf(id)
      const before = await changeDocument(documents, drainsDocument, found => changeDrains(found, change))
      if (before !== drained) {
        logger.info('admin.changed', {
          ...{ requestId, who: 'operator', what: 'engine.drained', id },
          ...{ before, after: drained },
        })
      }
      await refresh()
      return viewOf(id)
    },
    apply: document => engines.setDrained(decodeDrains(openContent(document))),
  }
}
