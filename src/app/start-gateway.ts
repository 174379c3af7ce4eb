import type { AddressInfo } from 'node:net'
import { createCompletionLog } from '../adapters/telemetry/completion-log.ts'
import type { Traces } from '../adapters/telemetry/opentelemetry-traces.ts'
import { createPrometheusMetrics } from '../adapters/telemetry/prometheus-metrics.ts'
import type { Config } from '../config/config.ts'
import { newId } from '../core/ids.ts'
import { createCatalog } from '../domain/catalog/catalog.ts'
import type { Engine } from '../domain/engines/engine.ts'
import { createEngines } from '../domain/engines/engines.ts'
import { hashSecretText } from '../domain/identity/api-key.ts'
import { createIdentity } from '../domain/identity/identity.ts'
import type { IdentityStore } from '../domain/identity/identity-store.ts'
import { isOperator } from '../domain/identity/operator-token.ts'
import { createLimits } from '../domain/limits/limits.ts'
import type { CompletionSettings } from '../pipeline/dependencies.ts'
import { createDrainSwitch } from '../pipeline/drain-cut.ts'
import { type FirstRun, firstRun, operatorTokenHash } from '../pipeline/first-run.ts'
import { startHousekeeping } from '../pipeline/housekeeping.ts'
import { countInFlight } from '../pipeline/in-flight.ts'
import { observeAll } from '../pipeline/observe-all.ts'
import { recover } from '../pipeline/recover.ts'
import { createCompletions } from '../pipeline/run-completion.ts'
import { drain } from '../server/drain.ts'
import { createServer } from '../server/server.ts'
import { reuseNodes } from './create-nodes.ts'
import type { Ground } from './ground.ts'
import { openStore } from './open-store.ts'

export interface Gateway {
  readonly address: AddressInfo
  /** Null when the installation was set up before. */
  readonly firstRun: FirstRun | null
  /** Puts another configuration in place; what needs a restart is not changed. */
  reload(config: Config): Promise<void>
  /** Ends orderly: drains, settles, closes. Resolves when the process may exit. */
  close(): Promise<void>
}

/** Joins ports to adapters and starts the gateway: store, recovery, engines, server, in this order. */
export async function startGateway(initial: Config, ground: Ground): Promise<Gateway> {
  const { clock, random, timers, logger, secret } = ground
  const state = { config: initial, nodes: new Map<string, Engine>() }
  const nodesOf = (config: Config) => {
    state.nodes = reuseNodes(config, ground, state.nodes)
    return [...state.nodes.values()]
  }
  const processId = newId('proc', random)
  const drainCut = createDrainSwitch()
  const storage = await openStore(initial, ground, 'gateway')
  const { identity: identityStore, ledger, admission, usage, idempotency } = storage
  await ledger.rememberPrices(initial.models.map(model => model.prices))
  await recover({
    ledger,
    idempotency,
    clock,
    logger,
    processId,
    idempotencyHours: settingsOf(initial).idempotencyHours,
  })

  const engines = createEngines({ engines: nodesOf(initial), clock, random, logger, timers })
  const catalog = createCatalog(initial.models)
  const limits = createLimits(initial.limits.tiers)
  const metrics = createPrometheusMetrics(engines.views)
  const traces = await openTraces(ground.traceEndpoint)
  const observer = observeAll(logger, [createCompletionLog(logger), metrics, ...traces])
  const identity = createIdentity({ store: identityStore, clock, secret })
  const completions = countInFlight(
    createCompletions({
      ...{ clock, random, logger, catalog, limits, engines, admission, ledger, idempotency, observer, processId },
      settings: () => settingsOf(state.config),
      cacheKeySecret: secret,
      drainCut,
    }),
  )
  let tokenHash: Buffer | null = null
  const server = await createServer({
    ...{ clock, random, logger, identity, identityStore, ledger, usage, catalog, engines, completions, observer },
    storeHealth: () => storage.health(),
    isOperator: authorization => isOperator(authorization, { tokenHash, secret }),
    metricsPage: () => metrics.page(),
    metricsListen: initial.metrics.listen,
  })
  const stopProbing = engines.startProbing()
  const stopHousekeeping = startHousekeeping({
    clock,
    timers,
    logger,
    ledger,
    usage,
    idempotency,
    usageDays: () => state.config.retention.usageDays,
  })
  const address = await server.listen(initial.server)
  // Not before the address is ours: keys are shown once, and a start that failed would be that once.
  const setUp = await firstRun(
    { identity: identityStore, ledger, clock, random },
    { startingCreditNano: initial.startingCreditNano, keyPrefix: initial.keys.prefix, secret },
  )
  tokenHash = await operatorHash(initial, identityStore, secret)

  return {
    address,
    firstRun: setUp,
    async reload(config) {
      await ledger.rememberPrices(config.models.map(model => model.prices))
      engines.replace(nodesOf(config))
      limits.replace(config.limits.tiers)
      catalog.replace(config.models)
      state.config = config
    },
    async close() {
      await drain({ server, inFlight: completions, timers, logger, cut: () => drainCut.cut() })
      stopHousekeeping()
      stopProbing()
      await engines.close()
      await storage.close()
      await Promise.all(traces.map(trace => trace.close()))
    },
  }
}

/** Traces are opt-in, and so is the memory that their library takes. */
async function openTraces(endpoint: string | null): Promise<readonly Traces[]> {
  if (endpoint === null) return []
  const { createTraces } = await import('../adapters/telemetry/opentelemetry-traces.ts')
  return [createTraces(endpoint)]
}

/** The operator's token: the configured one, else the one that was made at the first start. */
async function operatorHash(config: Config, identity: IdentityStore, secret: Buffer): Promise<Buffer | null> {
  const { token } = config.admin
  return token === null ? operatorTokenHash({ identity }) : hashSecretText(token.reveal(), secret)
}

const dayHours = 24

function settingsOf({ limits, billing, retention }: Config): CompletionSettings {
  const { idempotencyHours } = retention
  return {
    overdraftNano: limits.overdraftNano,
    accountConcurrency: limits.concurrencyPerAccount,
    freeFailuresPerHour: limits.freeFailuresPerHour,
    billPartial: billing.billPartial,
    idempotencyHours: idempotencyHours === 'unlimited' ? yearsMax * 365 * dayHours : idempotencyHours,
  }
}

const yearsMax = 100
