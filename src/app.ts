/** The composition root: the only place that knows both a port and its adapter. Processes and commands start here. */
export { createGatewayClient } from './adapters/http/gateway-client.ts'
export { systemClock } from './adapters/system/system-clock.ts'
export { createNodes } from './app/create-nodes.ts'
export type { Ground } from './app/ground.ts'
export { type Installation, openInstallation, watchConfiguration } from './app/open-installation.ts'
export { openStore } from './app/open-store.ts'
export type { Gateway } from './app/start-gateway.ts'
export { type GgufEngine, startGgufEngine } from './app/start-gguf-engine.ts'

/** The server and what it needs: commands that start none do not wait for it to be loaded. */
export const loadServer = () => import('./app/start-gateway.ts')
