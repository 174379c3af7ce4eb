import type { Config, StoreConfig } from './config.ts'

/** What a running gateway cannot change, by the names in the file; the rest of a new configuration takes effect at once. */
export function keysNeedingRestart(previous: Config, next: Config): readonly string[] {
  const [before, after] = [previous.server, next.server]
  const moves = before.host !== after.host || before.port !== after.port
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['server.host', before.host, after.host],
    ['server.port', before.port, after.port],
    // Where the file has none, it follows from host and port.
    ['server.publicUrl', before.publicUrl, moves ? before.publicUrl : after.publicUrl],
    ['server.trustProxy', before.trustProxy.join(), after.trustProxy.join()],
    ['server.regionHeader', before.regionHeader, after.regionHeader],
    ['store', addressOf(previous.store), addressOf(next.store)],
    ['keys.prefix', previous.keys.prefix, next.keys.prefix],
    ['metrics.listen', listenOf(previous), listenOf(next)],
  ]
  return pairs.filter(([, was, is]) => was !== is).map(([key]) => key)
}

function addressOf(store: StoreConfig): string {
  return store.kind === 'sqlite' ? `sqlite:${store.path}` : store.url.reveal()
}

function listenOf({ metrics }: Config): string {
  return metrics.listen === null ? '' : `${metrics.listen.host} ${metrics.listen.port}`
}
