/** The composition root: the only place that knows both a port and its adapter. Processes and commands start here. */
export { connectPrimary } from './adapters/cluster/connect-primary.ts'
export { createGatewayClient } from './adapters/http/gateway-client.ts'
export { systemClock } from './adapters/system/system-clock.ts'
export { completeConfig } from './app/complete-config.ts'
export { documentWalls } from './app/create-documents.ts'
export { createNodes } from './app/create-nodes.ts'
export type { Ground } from './app/ground.ts'
export type { MoveProgress, MoveReport } from './app/move-deployment.ts'
export { type Installation, openInstallation, watchConfiguration } from './app/open-installation.ts'
export { openStore } from './app/open-store.ts'
export { type OwnConfig, ownConfig } from './app/own-config.ts'
export { type GgufEngine, startGgufEngine } from './app/start-gguf-engine.ts'

/** The server and what it needs: commands that start none do not wait for it to be loaded. */
export const loadServer = () => import('./app/start-gateway.ts')

/** Those who are asked for searches. */
export const loadSearch = () => import('./app/open-search.ts')

/** Adding documents loads readers and parsers of its own. */
export const loadIndexing = () => import('./app/open-indexing.ts')

/** Both stores at once: the commands that move a deployment load what they need of it. */
export const loadMove = () => import('./app/move-deployment.ts')

/** The same for a gateway of several processes: what the first one runs, and what the others do. */
export const loadWorkers = () => import('./app/workers/start-workers.ts')
export const loadWorker = () => import('./app/workers/run-worker.ts')
