import type { Ground } from '../../app.ts'
import type { Model } from '../../core/model.ts'
import type { Engine } from '../../domain/engines/engine.ts'
import { EngineFault, type FaultKind } from '../../domain/engines/types.ts'
import { lastingTimeout } from '../../lib/lasting-timeout.ts'
import { askEngine } from './ask-engine.ts'
import { type Check, failed, messageOf, passed } from './check.ts'

const probeMs = 5_000

/** Whether a node gives a sign of life, and whether it answers a completion with the first model that it serves. */
export async function checkEngine(engine: Engine, models: readonly Model[], ground: Ground): Promise<Check> {
  const name = `engine ${engine.id}`
  const place = engine.kind === 'embedded' ? 'the built-in test mode' : engine.baseUrl
  const served = models.flatMap(model => model.served).find(({ engineId }) => engineId === engine.id)
  try {
    await engine.probe(lastingTimeout(probeMs))
    if (served === undefined) return passed(name, `${place} answers, but no model uses it`)
    const status = await askEngine(engine, served.engineModel, ground)
    if (status === 200) return passed(name, `${place} answered a completion with ${served.engineModel}`)
    return failed(name, `${place} answered ${status} to a completion with ${served.engineModel}`, mendStatus(status))
  } catch (error) {
    return failed(name, `${place}: ${messageOf(error)}`, mendFault(error))
  }
}

function mendStatus(status: number): string {
  if (status === 401 || status === 403) return 'correct the engine’s apiKey'
  if (status === 404) return 'correct baseUrl, or the engine’s own name of the model in models[].served'
  if (status === 429) return 'the engine is busy or its quota is used up: wait, or raise the quota'
  return status < 500
    ? 'correct preset, maxTokensField or the model’s name for this engine'
    : 'look at the engine’s log'
}

const mendByFault: Partial<Record<FaultKind, string>> = {
  connect_refused: 'start the engine, or correct its baseUrl',
  connect_timeout: 'start the engine, or correct its baseUrl; look at firewalls between here and there',
  dns: 'correct the host in baseUrl',
  tls: 'give the engine a valid certificate, or use http on a trusted network',
  first_byte_timeout: 'wait until the model is loaded, or raise timeouts.firstByteMs',
  aborted: 'wait until the model is loaded: it did not answer within the time of this check',
}

function mendFault(error: unknown): string {
  const known = error instanceof EngineFault ? mendByFault[error.kind] : undefined
  return known ?? 'look at the engine’s log; correct baseUrl and apiKey if they are wrong'
}
