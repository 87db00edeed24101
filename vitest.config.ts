import { defineConfig } from 'vitest/config'

const testsIn = (...folders: string[]) => folders.map((folder) => `${folder}/**/*.test.{ts,tsx,js}`)

/** What computes and starts nothing: their files share processes, since loading the code would take longer than the tests. */
const pure = testsIn('contract', 'web', 'server/standards')

export default defineConfig({
  test: {
    environment: 'node',
    // Processes, not threads: tests of starting and stopping send signals and change umask.
    pool: 'forks',
    // Most of a test is waiting, so two cores carry three files.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'whole',
          include: testsIn('server', 'test-world', 'scripts', 'demo'),
          exclude: pure,
          globalSetup: 'test-world/postgres/for-test-run.ts',
        },
      },
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
    ],
  },
})
