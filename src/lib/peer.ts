/** Messages to another process and back: in order, and none is lost while both sides live. */
export interface MessageLine {
  /** A message for a side that is gone is dropped. */
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Told once, at the moment the other side is gone and everything that it said was heard. */
  onClosed(listener: () => void): void
}

/** What a side can be asked: by name, what it takes and what it gives. Both must survive the structured clone. */
type Questions = Readonly<Record<string, (payload: never) => unknown>>

type Taken<Q extends Questions, N extends keyof Q> = Parameters<Q[N]>[0]
type Given<Q extends Questions, N extends keyof Q> = Awaited<ReturnType<Q[N]>>

/** Both sides of a line at once: what the other side can be asked, and what it may ask here. */
export interface Peer<Theirs extends Questions, Ours extends Questions> {
  /**
   * Rejects with the other side's message when it cannot answer, after the wait, and with PeerGone when it is gone.
   * `waitMs` is in milliseconds; null waits as long as the other side lives.
   */
  ask<N extends keyof Theirs & string>(
    name: N,
    payload: Taken<Theirs, N>,
    waitMs: number | null,
  ): Promise<Given<Theirs, N>>
  /** One handler per name, set before the other side can ask. */
  answer<N extends keyof Ours & string>(
    name: N,
    handler: (payload: Taken<Ours, N>) => Given<Ours, N> | Promise<Given<Ours, N>>,
  ): void
}

/** The other side ended, or closed its end. */
export class PeerGone extends Error {
  override readonly name = 'PeerGone'
}

type Message =
  | { readonly ask: string; readonly id: number; readonly payload: unknown }
  | { readonly answered: number; readonly value: unknown }
  | { readonly refused: number; readonly reason: string }

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** Questions and answers between two processes of the same version: what they say to each other is trusted. */
export function createPeer<Theirs extends Questions, Ours extends Questions>(line: MessageLine): Peer<Theirs, Ours> {
  const handlers = new Map<string, (payload: unknown) => unknown>()
  const waiting = new Map<number, Waiting>()
  let asked = 0
  let isGone = false

  function ask(name: string, payload: unknown, waitMs: number | null): Promise<unknown> {
    if (isGone) return Promise.reject(new PeerGone('the other process is gone'))
    asked += 1
    const id = asked
    return new Promise((resolve, reject) => {
      const late = () => end(id)?.reject(new Error(`the other process did not answer "${name}" in time`))
      const timer = waitMs === null ? undefined : setTimeout(late, waitMs)
      const done =
        <Value>(pass: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(timer)
          pass(value)
        }
      waiting.set(id, { resolve: done(resolve), reject: done(reject) })
      line.send({ ask: name, id, payload } satisfies Message)
    })
  }

  function end(id: number): Waiting | undefined {
    const asker = waiting.get(id)
    waiting.delete(id)
    return asker
  }

  async function answer(name: string, id: number, payload: unknown): Promise<void> {
    try {
      const handler = handlers.get(name)
      if (handler === undefined) throw new Error(`nobody here answers "${name}"`)
      line.send({ answered: id, value: await handler(payload) } satisfies Message)
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'something that is no error was thrown'
      line.send({ refused: id, reason } satisfies Message)
    }
  }

  line.onMessage(received => {
    const message = received as Message
    if ('ask' in message) void answer(message.ask, message.id, message.payload)
    else if ('answered' in message) end(message.answered)?.resolve(message.value)
    else end(message.refused)?.reject(new Error(message.reason))
  })
  line.onClosed(() => {
    isGone = true
    for (const id of [...waiting.keys()]) end(id)?.reject(new PeerGone('the other process is gone'))
  })

  return {
    ask: ask as Peer<Theirs, Ours>['ask'],
    answer: (name, handler) => void handlers.set(name, handler as (payload: unknown) => unknown),
  }
}
