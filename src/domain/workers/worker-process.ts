/** `drain`: the gateway ends. `hand_over`: others on the same port go on, so that nobody need be turned away. */
export type EndMode = 'drain' | 'hand_over'

/** Port: a process that serves requests as one of several. */
export interface WorkerProcess {
  readonly pid: number
  /** Resolves when it serves. Rejects with the reason why it does not, also when it ended before. */
  readonly ready: Promise<void>
  /** Resolves, with an exit code or a signal's name, when it is gone and everything that it had said was heard. */
  readonly ended: Promise<string>
  /** Asks it to end when what it has begun is done. */
  end(mode: EndMode): void
  kill(): void
}

/** Starts the worker of a place; places are counted from 1. */
export type LaunchWorker = (place: number) => WorkerProcess
