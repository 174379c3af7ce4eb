import type { Config, EngineConfig } from '../config/config.ts'
import type { Engine } from '../domain/engines/engine.ts'
import type { Ground } from './ground.ts'

/** Engines by their whole configuration: one that did not change keeps its connections and its health over a reload. */
export async function reuseNodes(
  config: Config,
  ground: Ground,
  known: ReadonlyMap<string, Engine>,
): Promise<Map<string, Engine>> {
  const named = config.engines.map(async engine => {
    const name = nameOf(engine)
    return [name, known.get(name) ?? (await createNode(engine, ground))] as const
  })
  return new Map(await Promise.all(named))
}

function nameOf(engine: EngineConfig): string {
  if (engine.kind === 'embedded') return JSON.stringify(engine)
  return JSON.stringify({ ...engine, apiKey: engine.apiKey?.reveal(), deniedKeys: [...engine.deniedKeys] })
}

/** Only the kinds that are configured are loaded. */
async function createNode(engine: EngineConfig, { clock, timers, userAgent }: Ground): Promise<Engine> {
  switch (engine.kind) {
    case 'openai': {
      const { createOpenAiEngine } = await import('../adapters/engines/openai-engine.ts')
      return createOpenAiEngine({ ...engine, userAgent, clock })
    }
    case 'anthropic': {
      const { createAnthropicEngine } = await import('../adapters/engines/anthropic/anthropic-engine.ts')
      return createAnthropicEngine({ ...engine, userAgent, clock, timers })
    }
    case 'google': {
      const { createGoogleEngine } = await import('../adapters/engines/google/google-engine.ts')
      return createGoogleEngine({ ...engine, userAgent, clock, timers })
    }
    case 'embedded': {
      const { createSandboxEngine } = await import('../adapters/engines/sandbox/sandbox-engine.ts')
      return createSandboxEngine({ ...engine, clock, timers })
    }
  }
}

/** The nodes of a configuration, for commands that ask them something themselves. */
export function createNodes(config: Config, ground: Ground): Promise<readonly Engine[]> {
  return Promise.all(config.engines.map(engine => createNode(engine, ground)))
}
