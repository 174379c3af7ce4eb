/** A command could not do what it was asked; the message says why and what to do, for the person at the terminal. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** The command line itself is wrong: an unknown command or option, a missing or impossible value. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
