import type { FastifyInstance } from 'fastify'
import { takeJsonBodies } from '../json-bodies.ts'
import { refuseOtherMethods } from '../refuse-other-methods.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import { registerBilling, registerRetiredUsage } from './billing.ts'
import { registerCharacters } from './characters.ts'
import { createKeyRoutes } from './key-routes.ts'
import { keysAddress, registerKeys } from './keys.ts'
import { registerRateLimits } from './rate-limits.ts'
import { registerWalletKeys, walletKeysAddress } from './wallet-keys.ts'

/** Bodies of these routes are a few settings. */
const bodyBytesMax = 65_536

/** What an account sees and changes of its own, and what it may choose from. */
export function registerAccountRoutes(app: FastifyInstance, dependencies: ServerDependencies): void {
  void app.register((scope, _, done) => {
    takeJsonBodies(scope, bodyBytesMax)
    const routes = createKeyRoutes(scope, dependencies)
    registerCharacters(routes, dependencies)
    registerKeys(routes, dependencies)
    registerRateLimits(routes, dependencies)
    registerBilling(routes, dependencies)
    registerRetiredUsage(scope, dependencies)
    registerWalletKeys(scope, dependencies)
    refuseOtherMethods(scope, keysAddress, 'GET, HEAD, POST, PATCH, DELETE')
    refuseOtherMethods(scope, walletKeysAddress, 'GET, HEAD, POST')
    done()
  })
}
