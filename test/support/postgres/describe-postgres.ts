import { describe } from 'vitest'
import { missing } from '../missing.ts'
import { pgBouncerProblem } from './pgbouncer.ts'
import { findServerBinaries } from './server-binaries.ts'

type Tests = () => void

/** Tests that need PostgreSQL: skipped, with the reason, where no server is to be had. Throws instead when CI is set. */
export function describePostgres(name: string, tests: Tests): void {
  describeUnless(postgresProblem(), name, tests)
}

/** Tests that need PgBouncer besides. */
export function describePgBouncer(name: string, tests: Tests): void {
  describeUnless(postgresProblem() ?? pgBouncerProblem(), name, tests)
}

/** Why no server is to be had; undefined when there is one. */
function postgresProblem(): string | undefined {
  const found = findServerBinaries()
  return 'problem' in found ? found.problem : undefined
}

function describeUnless(problem: string | undefined, name: string, tests: Tests): void {
  if (problem === undefined) {
    describe(name, tests)
    return
  }
  describe.skip(`${name} (skipped: ${missing(problem)})`, tests)
}
