import type { FoundEngine } from '../core/found-engine.ts'
import type { Config } from './config.ts'
import { withFoundEngines } from './default-config.ts'

/** It generates one answer at a time; these few may wait in it, the others wait in the gateway. */
const maxConcurrency = 4
/** A processor reads a long prompt for minutes, and others may be before it. */
const firstByteMs = 300_000

/**
 * Puts a model that this process runs itself before those of the configuration, at `pricing.default`.
 * @throws Error when its name is taken or cannot be a model's id
 */
export function withGgufEngine(config: Config, gguf: FoundEngine, createdSeconds: number): Config {
  const { engines, models } = withFoundEngines(config, [gguf], createdSeconds)
  const added = engines.filter(({ id }) => id === gguf.id)
  const name = gguf.models[0]?.id ?? ''
  if (added.length === 0) throw new Error(`"${name}" cannot be the id of a model: rename the file.`)
  if (config.engines.some(({ id }) => id === gguf.id)) {
    throw new Error(`The configuration has an engine "${gguf.id}", which is the name of the one that --gguf starts.`)
  }
  if (config.models.some(({ id }) => id === name)) {
    throw new Error(`The configuration has a model "${name}" already: rename the file, or the model.`)
  }
  const patient = added.map(engine => ({
    ...engine,
    maxConcurrency,
    timeouts: { ...engine.timeouts, firstByteMs },
  }))
  return { ...config, engines: [...patient, ...config.engines], models: [...models, ...config.models] }
}
