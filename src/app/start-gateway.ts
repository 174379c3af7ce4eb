import type { AddressInfo } from 'node:net'
import type { Storage } from '../adapters/storage/storage.ts'
import { buildTime } from '../adapters/system/build-time.ts'
import { createCompletionLog } from '../adapters/telemetry/completion-log.ts'
import type { Traces } from '../adapters/telemetry/opentelemetry-traces.ts'
import {
  createPrometheusMetrics,
  type MetricsFigures,
  type MetricsPage,
} from '../adapters/telemetry/prometheus-metrics.ts'
import { createStakes } from '../adapters/wallets/staked-balance.ts'
import type { Config } from '../config/config.ts'
import { newId } from '../core/ids.ts'
import { createCatalog } from '../domain/catalog/catalog.ts'
import { createCharacters } from '../domain/characters/characters.ts'
import { createEngines } from '../domain/engines/engines.ts'
import { hashSecretText } from '../domain/identity/api-key.ts'
import { createIdentity } from '../domain/identity/identity.ts'
import type { IdentityStore } from '../domain/identity/identity-store.ts'
import { isOperator } from '../domain/identity/operator-token.ts'
import { createErrorBudgets } from '../domain/limits/error-budgets.ts'
import { createLimits } from '../domain/limits/limits.ts'
import { createRefusalLog } from '../domain/limits/refusal-log.ts'
import type { EndMode } from '../domain/workers/worker-process.ts'
import { checkSecret } from '../pipeline/check-secret.ts'
import { createDrainSwitch } from '../pipeline/drain-cut.ts'
import { type FirstRun, firstRun, operatorTokenHash } from '../pipeline/first-run.ts'
import { createModelClassifier } from '../pipeline/grounding/model-classifier.ts'
import { startHousekeeping } from '../pipeline/housekeeping.ts'
import { countInFlight } from '../pipeline/in-flight.ts'
import { observeAll } from '../pipeline/observe-all.ts'
import { createDocumentParser } from '../pipeline/parse-document.ts'
import { recover, recoverFrom } from '../pipeline/recover.ts'
import { createCompletions } from '../pipeline/run-completion.ts'
import { createPageSales } from '../pipeline/sell-page.ts'
import { createSearchSales } from '../pipeline/sell-search.ts'
import { createCallers } from '../server/callers.ts'
import { type DrainMode, drain } from '../server/drain.ts'
import { createServer } from '../server/server.ts'
import { errorBudgetOf, settingsOf } from './completion-settings.ts'
import { createDocuments } from './create-documents.ts'
import { createMediaTools } from './create-media-tools.ts'
import { reuseNodes } from './create-nodes.ts'
import type { Ground } from './ground.ts'
import { joinReplicas } from './join-replicas.ts'
import { openPages } from './open-pages.ts'
import { openSearch } from './open-search.ts'
import { openStore } from './open-store.ts'
import type { LoadedConfig, OwnConfig } from './own-config.ts'
import { readCharacters } from './read-characters.ts'
import { routeSettingsOf } from './route-settings.ts'
import { pageWare, parserWare, pricesOf, searchWare } from './wares.ts'

export interface Gateway {
  readonly address: AddressInfo
  /** Null when the installation was set up before. */
  readonly firstRun: FirstRun | null
  /**
   * Puts into force what this gateway's file says now, on every gateway that shares its store; what needs a restart is not
   * changed.
   */
  reload(next: LoadedConfig): Promise<void>
  /** Resolves what another process left open that is known to be gone. */
  recoverFrom(deadProcessId: string): Promise<void>
  /** What this process counted. */
  figures(): Promise<MetricsFigures>
  /**
   * Ends orderly: drains, settles, closes. Resolves when the process may exit. One that hands over to others hurries when
   * it is asked to drain meanwhile.
   */
  close(mode?: EndMode): Promise<void>
}

/** What is different where several processes serve as one gateway. */
export interface GatewayPart {
  /** Names this process in what it leaves open. */
  readonly processId: string
  /** Opens the store that another process of the gateway holds; null where each opens it by itself. */
  readonly openStore: (() => Promise<Storage>) | null
  /** What all processes counted. */
  readonly metricsPage: () => Promise<MetricsPage>
}

export interface StartOptions {
  /** Null for a gateway of one process. */
  readonly part?: GatewayPart | null
  /** Called when all is ready, before the first request can come. */
  readonly beforeServing?: () => void
}

/** Joins ports to adapters and starts the gateway: store, recovery, engines, server, in this order. */
export async function startGateway(
  own: OwnConfig,
  ground: Ground,
  { part = null, beforeServing = () => undefined }: StartOptions = {},
): Promise<Gateway> {
  const initial = own.config
  const { clock, random, timers, logger, secret } = ground
  const state = { config: initial, nodes: await reuseNodes(initial, ground, new Map()) }
  const processId = part?.processId ?? newId('proc', random)
  const drainCut = createDrainSwitch()
  const openOwn = () => openStore(initial, ground, { processId })
  const storage = await (part?.openStore ?? openOwn)()
  const { identity: identityStore, ledger, admission, usage, idempotency } = storage
  await ledger.rememberPrices(pricesOf(initial))
  await checkSecret(identityStore, secret)
  const recovery = () => {
    const { idempotencyHours } = settingsOf(state.config)
    return { ledger, idempotency, clock, logger, idempotencyHours }
  }
  const recoverAbandoned = () => recover({ ...recovery(), processId })
  // Where that cannot be done now, housekeeping does it later, and records have a place all the same.
  await usage
    .prepareDays(clock.now())
    .catch((error: unknown) => logger.error('housekeeping.failed', { task: 'prepare', error }))
  await recoverAbandoned()

  const engines = createEngines({ engines: [...state.nodes.values()], clock, random, logger, timers })
  const catalog = createCatalog(initial.models, clock)
  const characters = createCharacters(await readCharacters(initial.characters.dir))
  const limits = createLimits(initial.limits.tiers)
  const refusals = createRefusalLog({ store: storage.refusals, timers, logger })
  const errorBudgets = createErrorBudgets({
    ...{ store: storage.failures, refusals, clock },
    budget: () => errorBudgetOf(state.config),
  })
  const metrics = createPrometheusMetrics(engines.views)
  const traces = await openTraces(ground.traceEndpoint)
  const observer = observeAll(logger, [createCompletionLog(logger), metrics, ...traces])
  const identity = createIdentity({ store: identityStore, clock, secret })
  const webSearch = await openSearch(initial, { ground, observer: metrics.search })
  const documents = createDocuments(initial, ground)
  const media = createMediaTools({ config: () => state.config, clock: ground.clock, documents })
  const pages = openPages({ config: () => state.config, documents, fetch: media.fetch, ground })
  const autoModel = () => state.config.search.autoModel
  const classifierFor = createModelClassifier({ catalog, engines, random, clock, autoModel })
  const completions = countInFlight(
    createCompletions({
      ...{
        clock,
        random,
        logger,
        catalog,
        characters,
        limits,
        refusals,
        errorBudgets,
        engines,
        admission,
        ledger,
        idempotency,
        observer,
        processId,
      },
      settings: () => settingsOf(state.config),
      cacheKeySecret: secret,
      drainCut,
      media,
      grounding: { search: webSearch.search, pages, classifierFor },
    }),
  )
  const sales = {
    ...{ clock, random, logger, admission, ledger, refusals, observer, processId },
    settings: () => settingsOf(state.config),
  }
  const documentParser = createDocumentParser({
    ...{ ...sales, documents: documents.reader },
    ware: () => parserWare(state.config),
  })
  const pageSales = createPageSales({ ...sales, pages, ware: () => pageWare(state.config) })
  const searchSales = createSearchSales({
    ...{ ...sales, webSearch: webSearch.search },
    ware: () => searchWare(state.config),
  })
  let tokenHash: Buffer | null = null
  const reload = async (config: Config): Promise<void> => {
    const nextCharacters = await readCharacters(config.characters.dir)
    await ledger.rememberPrices(pricesOf(config))
    tokenHash = await operatorHash(config, identityStore, secret)
    state.nodes = await reuseNodes(config, ground, state.nodes)
    engines.replace([...state.nodes.values()])
    limits.replace(config.limits.tiers)
    catalog.replace(config.models)
    characters.replace(nextCharacters)
    webSearch.replace(config)
    state.config = config
  }
  const replica = joinReplicas({ storage, engines, own, ground, reload })
  const server = await createServer({
    ...{ clock, random, logger, identity, identityStore, ledger, usage, catalog, engines, completions, observer },
    ...{ characters, limits, refusals, errorBudgets, secret },
    ...{ documentParser, searchSales, pageSales },
    settings: () => routeSettingsOf(state.config),
    engineDrains: replica.engineDrains,
    stakes: createStakes(() => state.config.accounts.staking),
    publicUrl: initial.server.publicUrl,
    callers: createCallers(initial.server),
    builtAtMs: buildTime(),
    storeHealth: () => storage.health(),
    isOperator: authorization => isOperator(authorization, { tokenHash, secret }),
    metricsPage: part?.metricsPage ?? metrics.page,
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
    failures: storage.failures,
    usageDays: () => state.config.retention.usageDays,
    // Where there is one gateway, nobody dies beside it.
    ...(storage.isShared ? { recover: recoverAbandoned } : {}),
  })
  await replica.follow()
  beforeServing()
  const address = await server.listen(initial.server)
  // Not before the address is ours: keys are shown once, and a start that failed would be that once; and it would have
  // changed what all gateways sell.
  await replica.announce()
  const setUp = await firstRun(
    { identity: identityStore, ledger, clock, random },
    { startingCreditNano: initial.startingCreditNano, keyPrefix: initial.keys.prefix, secret },
  )
  tokenHash = await operatorHash(state.config, identityStore, secret)

  return {
    address,
    firstRun: setUp,
    reload: next => replica.change(next),
    recoverFrom: deadProcessId => recoverFrom({ ...recovery(), deadProcessId }),
    figures: metrics.figures,
    close: closeOnce(async mode => {
      await replica.leave()
      await drain({ server, inFlight: completions, timers, logger, cut: () => drainCut.cut() }, mode)
      stopHousekeeping()
      stopProbing()
      await documents.close()
      await refusals.close()
      await engines.close()
      await webSearch.close()
      await storage.close()
      await Promise.all(traces.map(trace => trace.close()))
    }),
  }
}

function closeOnce(close: (mode: DrainMode) => Promise<void>): Gateway['close'] {
  let hurry: () => void = () => undefined
  const hurried = new Promise<void>(resolve => {
    hurry = resolve
  })
  let closing: Promise<void> | null = null
  return (mode = 'drain') => {
    if (mode === 'drain') hurry()
    closing ??= close({ mode, hurried })
    return closing
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
