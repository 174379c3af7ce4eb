import { createOpenAiEngine } from '../adapters/engines/openai-engine.ts'
import { createSandboxEngine } from '../adapters/engines/sandbox/sandbox-engine.ts'
import type { Config, EngineConfig } from '../config/config.ts'
import type { Engine } from '../domain/engines/engine.ts'
import type { Ground } from './ground.ts'

/** Engines by their whole configuration: one that did not change keeps its connections and its health over a reload. */
export function reuseNodes(config: Config, ground: Ground, known: ReadonlyMap<string, Engine>): Map<string, Engine> {
  return new Map(
    config.engines.map(engine => {
      const name = nameOf(engine)
      return [name, known.get(name) ?? createNode(engine, ground)]
    }),
  )
}

function nameOf(engine: EngineConfig): string {
  if (engine.kind === 'embedded') return JSON.stringify(engine)
  return JSON.stringify({ ...engine, apiKey: engine.apiKey?.reveal(), deniedKeys: [...engine.deniedKeys] })
}

function createNode(engine: EngineConfig, { clock, timers, userAgent }: Ground): Engine {
  switch (engine.kind) {
    case 'openai':
      return createOpenAiEngine({ ...engine, deniedKeys: [...engine.deniedKeys], userAgent, clock })
    case 'embedded':
      return createSandboxEngine({ ...engine, clock, timers })
  }
}

/** The nodes of a configuration, for commands that ask them something themselves. */
export function createNodes(config: Config, ground: Ground): readonly Engine[] {
  return config.engines.map(engine => createNode(engine, ground))
}
