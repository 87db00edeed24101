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
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
