import type { Config } from '../../config/config.ts'
import type { EndMode } from '../../domain/workers/worker-process.ts'
import type { Peer } from '../../lib/peer.ts'
import type { ConfigFile } from '../installation-config.ts'
import type { Gateway } from '../start-gateway.ts'
import type { PrimaryAnswers, WorkerAnswers } from './protocol.ts'

/** The last figures are worth a moment; more is not needed to end. */
const leaveWaitMs = 2_000

/** A gateway that serves, and how it reads a configuration. */
interface ServingWorker {
  readonly gateway: Gateway
  readonly load: (file: ConfigFile) => Config
}

/** What the first process may want of a worker, from the moment the worker can hear it. */
export interface WorkerLife {
  /** What was asked meanwhile is done now. */
  begin(worker: ServingWorker): void
  end(mode: EndMode): void
  /** Resolves when nothing is left to do. */
  readonly ended: Promise<void>
}

export function createWorkerLife(primary: Peer<PrimaryAnswers, WorkerAnswers>): WorkerLife {
  let begin: (worker: ServingWorker) => void = () => undefined
  const serving = new Promise<ServingWorker>(resolve => {
    begin = resolve
  })
  let gateway: Gateway | null = null
  let finish: (work: Promise<void>) => void = () => undefined
  const ended = new Promise<void>(resolve => {
    finish = resolve
  })
  let isEnding = false

  async function close(mode: EndMode): Promise<void> {
    if (gateway === null) return
    await gateway.close(mode)
    // The first process may be busy ending, too.
    await primary.ask('leave', await gateway.figures(), leaveWaitMs).catch(() => null)
  }

  function end(mode: EndMode): void {
    if (isEnding) void gateway?.close(mode)
    else finish(close(mode))
    isEnding = true
  }

  primary.answer('end', mode => {
    end(mode)
    return null
  })
  primary.answer('reload', async file => {
    const worker = await serving
    await worker.gateway.reload({ config: worker.load(file), file })
    return null
  })
  primary.answer('recoverFrom', async deadProcessId => {
    await (await serving).gateway.recoverFrom(deadProcessId)
    return null
  })
  primary.answer('figures', async () => (await serving).gateway.figures())

  return {
    begin(worker) {
      gateway = worker.gateway
      begin(worker)
    },
    end,
    ended,
  }
}
