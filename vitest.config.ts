import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

/** Long runs (full race counts, crash counts, big data) are chosen by `npm run test:long`. */
const long = process.env['RIALTO_TEST_LONG'] === '1'

export default defineConfig({
  test: {
    pool: 'forks',
    // Most tests wait for something: a process, a deadline, the other side. A worker for each processor would leave some
    // of the machine idle.
    maxWorkers: availableParallelism() + 1,
    // What hangs is found by these; what is late is found by tests that say how late. A machine may be busy with other things.
    testTimeout: long ? 900_000 : 60_000,
    hookTimeout: 120_000,
    sequence: { sequencer: LongestFirst },
    setupFiles: ['./test/support/set-up.ts'],
    reporters: ['default', './test/support/summary-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'product',
          include: ['test/**/*.test.ts'],
          // Files that are all about real waiting belong to long runs as a whole.
          exclude: ['**/node_modules/**', ...(long ? [] : ['**/*.long.test.ts'])],
          globalSetup: ['./test/support/postgres/global-setup.ts'],
          // To load everything anew for each file would take a fifth of the processor time of all tests together.
          isolate: false,
        },
      },
      {
        extends: true,
        // Nearly all of these only call functions: to load everything anew for each file would take longer than they do.
        test: { name: 'unit', include: ['src/**/*.test.ts'], isolate: false },
      },
    ],
  },
})
