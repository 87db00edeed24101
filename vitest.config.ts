import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['contract', 'server', 'web', 'test-world', 'scripts', 'demo'].map(
      (folder) => `${folder}/**/*.test.{ts,tsx,js}`,
    ),
    environment: 'node',
    globalSetup: 'test-world/postgres/for-test-run.ts',
    // Processes, not threads: tests of starting and stopping send signals and change umask.
    pool: 'forks',
    // Most of a test is waiting, so two cores carry three files.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
