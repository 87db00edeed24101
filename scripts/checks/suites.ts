/** The two test suites, counted from their JSON reports. A suite that ran no test has failed. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { z } from 'zod'
import { runCommand } from './run-command.ts'
import type { Outcome, Step } from './step.ts'

const folder = '.test'

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  /** A file that could not be loaded has no tests; only this counter includes it. */
  numFailedTestSuites: z.number(),
  testResults: z
    .array(
      z.object({
        name: z.string().default(''),
        /** Why the file could not be loaded. */
        message: z.string().default(''),
        assertionResults: z.array(
          z.object({
            fullName: z.string(),
            status: z.string(),
            failureMessages: z.array(z.string()).nullable().default([]),
          }),
        ),
      }),
    )
    .default([]),
})

const playwrightReport = z.object({
  stats: z.object({
    expected: z.number(),
    unexpected: z.number(),
    flaky: z.number(),
    skipped: z.number(),
  }),
})

type Counts = Omit<Outcome, 'output'>

export const vitestCounts = (text: string): Counts => {
  const report = vitestReport.parse(JSON.parse(text))
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests || Math.min(1, report.numFailedTestSuites),
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** Skipped tests by name: a number alone is overlooked. */
export const skippedIn = (text: string): string[] =>
  vitestReport
    .parse(JSON.parse(text))
    .testResults.flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => ['skipped', 'pending', 'todo'].includes(status))
    .map(({ fullName }) => fullName)

/** What failed, a line each with the beginning of why: above it stands all that the suite printed. */
export const failuresIn = (text: string): string[] =>
  vitestReport
    .parse(JSON.parse(text))
    .testResults.flatMap(({ name, message, assertionResults }) => {
      const file = relative('.', name)
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      if (failed.length === 0 && message !== '') return [`${file}: ${firstLineOf(message)}`]
      return failed.map(
        ({ fullName, failureMessages }) =>
          `${file}: ${fullName}: ${firstLineOf(failureMessages?.[0] ?? '')}`,
      )
    })

const firstLineOf = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, 300)

/** A flaky story passed at its second try; this run has no second tries, so it counts as failed. */
export const playwrightCounts = (text: string): Counts => {
  const { stats } = playwrightReport.parse(JSON.parse(text))
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  }
}

/** @param files those alone, else all */
export const unitTests = (name: string, files: readonly string[] = []): Step => ({
  name,
  run: () =>
    runSuite({
      report: `${folder}/vitest.json`,
      count: (text) => {
        for (const name of skippedIn(text)) console.log(`      skipped: ${name}`)
        return { ...vitestCounts(text), failures: failuresIn(text) }
      },
      args: [
        'node_modules/vitest/vitest.mjs',
        ...['run', '--reporter=dot', '--reporter=json'],
        `--outputFile.json=${folder}/vitest.json`,
        ...files,
      ],
      env: {},
    }),
})

export const storiesStep: Step = {
  name: 'stories',
  run: async () => {
    const browser = await runCommand(process.execPath, ['scripts/find-browser.js'])
    if (!browser.isOk) return failure(browser.output)
    const [path = '', source = ''] = browser.output.trim().split('\n').reverse()
    console.log(`      ${source}`)
    return runSuite({
      report: `${folder}/playwright.json`,
      count: playwrightCounts,
      args: [
        'node_modules/@playwright/test/cli.js',
        'test',
        '--reporter=dot,json,./scripts/checks/empty-stories.ts',
      ],
      env: { CHROMIUM_PATH: path, PLAYWRIGHT_JSON_OUTPUT_FILE: `${folder}/playwright.json` },
    })
  },
}

const failure = (output: string): Outcome => ({ passed: 0, failed: 1, skipped: 0, output })

const runSuite = async (suite: {
  report: string
  count: (text: string) => Counts
  args: string[]
  env: Record<string, string>
}): Promise<Outcome> => {
  mkdirSync(folder, { recursive: true })
  rmSync(suite.report, { force: true })
  const { env, args } = suite
  // Each test is a dot, and the longest takes minutes.
  const { isOk, output } = await runCommand(process.execPath, args, { env, silentMinutes: 10 })
  const counts = readCounts(suite.report, suite.count)
  if (counts === null) return failure(`${output}\nThe suite left no report.`)
  if (counts.passed + counts.failed === 0) return failure(`${output}\nNo test was run.`)
  // A suite may fail without a failed test, such as by an error after the last one.
  return { ...counts, failed: counts.failed || (isOk ? 0 : 1), output }
}

const readCounts = (path: string, count: (text: string) => Counts): Counts | null => {
  try {
    return count(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}
