/**
 * Port: the caller's side of an answer, offered by the server. Everything that goes to the caller goes through here, so
 * a test or a recorder can stand in between.
 */
export interface Outlet {
  /** Aborts when the caller has left, or takes nothing for too long. The reason says which. */
  readonly gone: AbortSignal
  /** Sends status and headers, once. */
  head(status: number, headers: Readonly<Record<string, string>>): void
  /** False when the caller is slow: stop until `onDrain` is called. */
  write(bytes: Buffer): boolean
  end(bytes: Buffer): void
  /** Called each time a slow caller has taken what was written. */
  onDrain(listener: () => void): void
}
