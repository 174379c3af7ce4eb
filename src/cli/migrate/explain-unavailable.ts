import { StoreUnavailable } from '../../core/store-error.ts'
import { CommandError } from '../command-error.ts'

/** What an operator does when PostgreSQL does not answer. The driver's own text may hold the address. */
export function explainUnavailable(error: unknown): unknown {
  if (!(error instanceof StoreUnavailable)) return error
  return new CommandError(
    'PostgreSQL cannot be reached, refuses the login, or broke off. See whether psql gets in with the same address; then ' +
      'run this again: it goes on where it stopped.',
  )
}
