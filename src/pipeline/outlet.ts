/**
 * Port: the caller's side of an answer, offered by the server. Everything that goes to the caller goes through here, so
 * a test or a recorder can stand in between.
 */
export interface Outlet {
  /** True once the caller has left, or has taken nothing for too long. */
  readonly isGone: boolean
  /** Called when that happens, at most once. */
  onGone(listener: () => void): void
  /** Sends status and headers, once. */
  head(status: number, headers: Readonly<Record<string, string>>): void
  /** False when the caller is slow: stop until `onDrain` is called. */
  write(bytes: Buffer): boolean
  end(bytes: Buffer): void
  /** Called each time a slow caller has taken what was written. */
  onDrain(listener: () => void): void
}
