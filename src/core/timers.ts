/** Waiting as a port: what ends by itself after a while can be tested and replayed without waiting. */
export interface Timers {
  /** Runs the task once after this many milliseconds, unless the returned function is called before. */
  after(ms: number, task: () => void): () => void
}
