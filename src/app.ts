/** The composition root: the only place that knows both a port and its adapter. Processes and commands start here. */
export { createGatewayClient } from './adapters/http/gateway-client.ts'
export { systemClock } from './adapters/system/system-clock.ts'
export { createNodes } from './app/create-nodes.ts'
export type { Ground } from './app/ground.ts'
export { type Installation, openInstallation, watchConfiguration } from './app/open-installation.ts'
export { type Gateway, openStore, startGateway } from './app/start-gateway.ts'
