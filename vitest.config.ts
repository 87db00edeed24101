import { defineConfig } from 'vitest/config'

const testsIn = (...folders: string[]) => folders.map((folder) => `${folder}/**/*.test.{ts,tsx,js}`)

/** What computes and starts nothing needs no database. */
const pure = testsIn('contract', 'web', 'server/standards')

export default defineConfig({
  test: {
    environment: 'node',
    // Processes, not threads: tests of starting and stopping send signals and change umask.
    pool: 'forks',
    // Most of a test is waiting, so two cores carry four files.
    maxWorkers: 4,
    // Files share processes: loading the code anew would take longer than most of the tests.
    isolate: false,
    setupFiles: 'test-world/assert-in-every-test.ts',
    restoreMocks: true,
    unstubEnvs: true,
    // Only what hangs is ended by the clock: a busy machine makes no test fail (decision 055).
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'whole',
          include: testsIn('server', 'test-world', 'scripts', 'demo', 'examples'),
          exclude: pure,
          globalSetup: 'test-world/postgres/for-test-run.ts',
        },
      },
      { extends: true, test: { name: 'pure', include: pure } },
    ],
  },
})
