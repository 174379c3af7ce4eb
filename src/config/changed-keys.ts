import type { Config, StoreConfig } from './config.ts'

/** What a running gateway cannot change, by the names in the file; the rest of a new configuration takes effect at once. */
export function keysNeedingRestart(previous: Config, next: Config): readonly string[] {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['server.host', previous.server.host, next.server.host],
    ['server.port', previous.server.port, next.server.port],
    ['store', addressOf(previous.store), addressOf(next.store)],
    ['keys.prefix', previous.keys.prefix, next.keys.prefix],
    ['metrics.listen', listenOf(previous), listenOf(next)],
  ]
  return pairs.filter(([, before, after]) => before !== after).map(([key]) => key)
}

function addressOf(store: StoreConfig): string {
  return store.kind === 'sqlite' ? `sqlite:${store.path}` : store.url.reveal()
}

function listenOf({ metrics }: Config): string {
  return metrics.listen === null ? '' : `${metrics.listen.host} ${metrics.listen.port}`
}
