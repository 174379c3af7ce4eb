import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Long runs (full race counts, crash counts, big data) are chosen by `npm run test:long`. */
const long = process.env['RIALTO_TEST_LONG'] === '1'

export default defineConfig({
  test: {
    pool: 'forks',
    // Most tests wait for something: a process, a deadline, the other side. One worker would leave the machine idle.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: long ? 900_000 : 30_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/support/summary-reporter.ts'],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
  },
})
