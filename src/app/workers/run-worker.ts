import { openSharedStorage } from '../../adapters/storage/shared/open-shared-storage.ts'
import { openDataFolder } from '../../adapters/system/data-folder.ts'
import { type Environment, readEnvironment } from '../../config/env.ts'
import { armFailpoint } from '../../lib/failpoint.ts'
import { createPeer, type MessageLine, type Peer } from '../../lib/peer.ts'
import { completeConfig } from '../complete-config.ts'
import { createGround } from '../create-ground.ts'
import type { Ground } from '../ground.ts'
import { readConfig, withFound } from '../installation-config.ts'
import { openSecret } from '../installation-secret.ts'
import { openLog } from '../open-log.ts'
import { type OwnConfig, ownConfig } from '../own-config.ts'
import { type GatewayPart, startGateway } from '../start-gateway.ts'
import { decodeEngine, type PrimaryAnswers, type WorkerAnswers, type WorkerStart } from './protocol.ts'
import { createWorkerLife, type WorkerLife } from './worker-life.ts'

/** The first process answers at once, unless it is stopped. */
const answerWaitMs = 30_000
/** It asks all workers before it answers. */
const metricsWaitMs = 10_000

type Primary = Peer<PrimaryAnswers, WorkerAnswers>

export interface WorkerOptions {
  /** To the first process of the gateway. */
  readonly line: MessageLine
  readonly version: string
}

/** The whole life of a process that serves as one of several. Resolves with the exit code. */
export async function runWorker({ line, version }: WorkerOptions): Promise<number> {
  const primary: Primary = createPeer(line)
  const life = createWorkerLife(primary)
  const environment = readEnvironment()
  try {
    const start = await primary.ask('join', version, answerWaitMs)
    const log = await openLog('shared stdout', environment, { worker: start.place })
    line.onClosed(() => log.logger.error('worker.orphaned'))
    const secret = (await openSecret(environment, environment.dataFolder)).text
    const ground = createGround({ environment, logger: log.logger, secret, end: () => life.end('drain') })
    await Promise.race([serve({ start, environment, ground }, primary, life), life.ended])
    await life.ended
    await log.flush()
    return Number(process.exitCode ?? 0)
  } catch (error) {
    await primary.ask('failed', error instanceof Error ? error.message : 'unknown reason', answerWaitMs)
    return 1
  }
}

interface WorkerParts {
  readonly start: WorkerStart
  readonly environment: Environment
  readonly ground: Ground
}

/** Resolves when it serves and the first process knows. */
async function serve(parts: WorkerParts, primary: Primary, life: WorkerLife): Promise<void> {
  const own = await readOwnConfig(parts)
  armFailpoint(parts.environment.failpoint)
  const gateway = await startGateway(own, parts.ground, { part: createPart(parts, primary) })
  life.begin({ gateway, load: own.load })
  await primary.ask('ready', { address: gateway.address, firstRun: gateway.firstRun }, answerWaitMs)
}

/** Reads configurations as the first process does, and takes this worker's share of them. */
async function readOwnConfig({ start, environment, ground }: WorkerParts): Promise<OwnConfig> {
  const { file } = start
  const surroundings = { environment, dataFolder: await openDataFolder(environment.dataFolder) }
  const found = start.found.map(decodeEngine)
  const gguf = start.gguf === null ? null : decodeEngine(start.gguf)
  const overrides = { listen: start.listen, gguf, worker: start }
  const startedSeconds = Math.floor(ground.clock.now() / 1_000)
  const config = withFound(readConfig(file, surroundings), found)
  return ownConfig({ config, file, found, ...surroundings }, next => completeConfig(next, overrides, startedSeconds))
}

function createPart({ start, ground }: WorkerParts, primary: Primary): GatewayPart {
  const { clock, random, logger, secret } = ground
  const openStore = async () =>
    openSharedStorage({ run: shared => primary.ask('store', shared, null), clock, random, logger, secret })
  return {
    processId: start.processId,
    openStore: start.storeIsShared ? openStore : null,
    metricsPage: () => primary.ask('metrics', null, metricsWaitMs),
  }
}
