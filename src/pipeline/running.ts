import type { Engine } from '../domain/engines/engine.ts'
import type { CompletionDependencies } from './dependencies.ts'
import type { Outlet } from './outlet.ts'
import type { Admitted } from './stages.ts'

/** Why a request was stopped from our side: its caller left or was too slow, its time was over, or the gateway drains. */
export type StopCause = 'caller' | 'deadline' | 'drain'

/** A request between admission and settlement: the one signal that stops its engine, and what set it off. */
export interface Running {
  readonly signal: AbortSignal
  readonly cause: StopCause | null
  /** When a node was first asked, on the monotonic clock; null while none was. From then on an engine may be at work. */
  readonly sentAtMs: number | null
  readonly node: Engine | null
  noteSent(node: Engine): void
  stop(): void
  close(): void
}

export function createRunning(
  { clock, drainCut }: CompletionDependencies,
  admitted: Admitted,
  outlet: Outlet,
): Running {
  const abort = new AbortController()
  const state: { cause: StopCause | null; sentAtMs: number | null; node: Engine | null } = {
    cause: null,
    sentAtMs: null,
    node: null,
  }
  const stopFor = (cause: StopCause) => {
    state.cause ??= cause
    abort.abort()
  }
  // A node that cannot stop its work is left to finish it, so that the real usage is billed; the deadline still holds.
  const onGone = () => {
    state.cause ??= 'caller'
    if (state.node?.onDisconnect !== 'drain') abort.abort()
  }
  const onDrain = () => stopFor('drain')
  const timer = setTimeout(() => stopFor('deadline'), admitted.totalMs)
  outlet.onGone(onGone)
  const stopListening = drainCut.onCut(onDrain)
  if (outlet.isGone) onGone()
  if (drainCut.isCut) onDrain()
  return {
    signal: abort.signal,
    get cause() {
      return state.cause
    },
    get sentAtMs() {
      return state.sentAtMs
    },
    get node() {
      return state.node
    },
    noteSent(node) {
      state.node = node
      state.sentAtMs ??= clock.monotonic()
    },
    stop: () => abort.abort(),
    close() {
      clearTimeout(timer)
      stopListening()
    },
  }
}
