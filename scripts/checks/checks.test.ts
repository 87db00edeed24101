import { rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changedSince, chooseTests, importsIn, storiesAbout, testsByDistance } from './changed.ts'
import { compareDecisions, decisionsIn, missingFiles } from './decisions.ts'
import { hasAsserted } from './empty-stories.ts'
import {
  findLicenceFaults,
  findLockFaults,
  isFree,
  type Packages,
  readPackages,
} from './packages.ts'
import { runCommand } from './run-command.ts'
import { countLines, depthFaults, fileFaults, folderFaults, functionFaults } from './sizes.ts'
import { compare, numbersIn, rowsOf } from './specification.ts'
import { failuresIn, playwrightCounts, skippedIn, vitestCounts } from './suites.ts'

describe('sizes', () => {
  it('counts all lines of a function, those of one expression too', () => {
    const of = (lines: number) =>
      `const a = () => {\n  return [\n${'1,\n'.repeat(lines - 4)}  ]\n}\n`
    expect(functionFaults('a.ts', of(60))).toEqual([])
    expect(functionFaults('a.ts', `\n${of(61)}`)).toEqual([
      'a.ts:2 is a function of 61 lines; 60 is the most',
    ])
  })
  it('counts neither blanks nor comments', () => {
    expect(
      countLines('/**\n * what\n */\n\n// why\nconst a = 1\n/* one line */\nconst b = 2\n'),
    ).toBe(2)
  })
  it('names a file with 301 lines and a folder with 26 files, tests aside', () => {
    expect(fileFaults('a.ts', 'x\n'.repeat(300))).toEqual([])
    expect(fileFaults('a.ts', 'x\n'.repeat(301))).toHaveLength(1)
    expect(fileFaults('a.test.ts', 'x\n'.repeat(600))).toEqual([])
    expect(fileFaults('a.test.js', 'x\n'.repeat(601))).toHaveLength(1)
    const paths = Array.from({ length: 25 }, (_, n) => `web/${n}.ts`)
    expect(folderFaults([...paths, 'web/1.test.ts'])).toEqual([])
    expect(folderFaults([...paths, 'web/one-more.ts'])).toHaveLength(1)
    expect(depthFaults(['a/b/c/d/e.ts'])).toEqual([])
    expect(depthFaults(['a/b/c/d/e/f.ts'])).toHaveLength(1)
  })
})

describe('packages', () => {
  it.each([
    ['MIT', false, true],
    ['(MPL-2.0 OR Apache-2.0)', false, true],
    ['MPL-2.0', true, true],
    ['MPL-2.0', false, false],
    ['GPL-3.0-only', true, false],
    ['MIT AND GPL-3.0-only', true, false],
    ['no licence', false, false],
  ])('%s, as a tool: %s, is free: %s', (licence, isTool, isAllowed) => {
    expect(isFree(licence, isTool)).toBe(isAllowed)
  })
  it('finds nothing in our own lock', () => {
    expect(Object.keys(readPackages()).length).toBeGreaterThan(200)
    expect(findLicenceFaults(readPackages())).toEqual([])
    expect(findLockFaults(readPackages())).toEqual([])
  })
  it('names a registry address, an install script, a platform that is missing', () => {
    const packages: Packages = {
      ...readPackages(),
      'node_modules/a': { resolved: 'https://example.com/a.tgz', hasInstallScript: true },
      'node_modules/a/node_modules/b': { optionalDependencies: { 'b-darwin-arm64': '1.0.0' } },
    }
    for (const path of Object.keys(packages))
      if (/oxide-linux-x64-musl/.test(path)) delete packages[path]
    const faults = findLockFaults(packages).join('\n')
    expect(faults).toMatch(/node_modules\/a names the registry/)
    expect(faults).toMatch(/node_modules\/a has an install script/)
    expect(faults).toMatch(/needs b-darwin-arm64 on some platform/)
    expect(faults).toMatch(/needs @tailwindcss\/oxide-linux-x64-musl/)
    expect(faults).toMatch(/no @tailwindcss\/oxide for linux/)
  })
})

describe('what a change touches', () => {
  const imports = new Map([
    ['server/a/pay.ts', ['server/lib/ids.ts']],
    ['server/a/pay.test.ts', ['server/a/pay.ts']],
    ['server/a/beside.test.ts', []],
    ['server/http/routes.ts', ['server/a/pay.ts']],
    ['server/http/routes.test.ts', ['server/http/routes.ts']],
    ['server/b/other.test.ts', ['server/b/other.ts']],
    ['e2e/payment.spec.ts', ['server/a/pay.ts']],
  ])
  it('is found through imports, in all their forms', () => {
    const text = `import { a } from '#server/lib/ids.ts'\nimport type {\n  B,\n} from './b.ts'
      import '../c.ts'\nconst d = await import('./d.ts')\nimport pg from 'pg'\n`
    expect(importsIn('server/a/pay.ts', text)).toEqual([
      ...['server/lib/ids.ts', 'server/a/b.ts', 'server/c.ts', 'server/a/d.ts'],
    ])
  })
  it('is what lies beside it and what imports it, the nearest first', () => {
    expect(testsByDistance(['server/a/pay.ts'], imports)).toEqual([
      ['server/a/beside.test.ts', 'server/a/pay.test.ts'],
      ['e2e/payment.spec.ts'],
      ['server/http/routes.test.ts'],
      [],
    ])
    expect(testsByDistance(['server/b/other.test.ts'], imports)[0]).toEqual([
      'server/b/other.test.ts',
    ])
  })
  it('is run in whole rings, up to 25 files; stories only get named', () => {
    const ring = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => `server/${from + n}.test.ts`)
    expect(chooseTests([[], ['e2e/a.spec.ts', ...ring(0, 30)], ring(30, 2)])).toEqual({
      ...{ near: ring(0, 30), further: 2 },
    })
    expect(chooseTests([ring(0, 20), ring(20, 5), ring(25, 1)])).toEqual({
      ...{ near: ring(0, 25), further: 1 },
    })
    const stories = [
      { path: 'e2e/free-mailboxes.spec.ts', text: '' },
      { path: 'e2e/main-story.spec.ts', text: "test('a mailbox is made', async () => {})" },
      { path: 'e2e/billing.spec.ts', text: '' },
    ]
    expect(storiesAbout(['web/features/mailboxes/form.tsx'], stories)).toEqual([
      ...['e2e/free-mailboxes.spec.ts', 'e2e/main-story.spec.ts'],
    ])
  })
  it('is asked of git, and what is not known to git yet is changed', () => {
    const file = 'scripts/checks/not-known-to-git.ts'
    writeFileSync(file, '')
    try {
      expect(changedSince('HEAD')).toContain(file)
    } finally {
      rmSync(file)
    }
  })
})

describe('counts', () => {
  it('of vitest: a file that could not be loaded is a failure', () => {
    const report = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1 }
    expect(vitestCounts(JSON.stringify({ ...report, numFailedTestSuites: 2 }))).toEqual({
      passed: 3,
      failed: 1,
      skipped: 2,
    })
  })
  it('of vitest: what was skipped has a name', () => {
    const counts = { numPassedTests: 1, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0 }
    const of = (fullName: string, status: string) => ({ fullName, status })
    const results = [{ assertionResults: [of('a', 'passed'), of('b', 'skipped')] }]
    const report = { ...counts, numFailedTestSuites: 0, testResults: results }
    expect(skippedIn(JSON.stringify(report))).toEqual(['b'])
  })
  it('of vitest: what failed has a name and the beginning of why, a file that could not be loaded too', () => {
    const counts = { numPassedTests: 1, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0 }
    const results = [
      {
        name: resolve('server/a.test.ts'),
        assertionResults: [
          { fullName: 'a', status: 'passed' },
          { fullName: 'b', status: 'failed', failureMessages: ['Error: no\n    at a.test.ts:1'] },
        ],
      },
      { name: resolve('server/c.test.ts'), message: 'Hook timed out', assertionResults: [] },
    ]
    const report = { ...counts, numFailedTestSuites: 2, testResults: results }
    expect(failuresIn(JSON.stringify(report))).toEqual([
      'server/a.test.ts: b: Error: no',
      'server/c.test.ts: Hook timed out',
    ])
  })
  it('of playwright: a flaky story is a failure', () => {
    const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 2 }
    expect(playwrightCounts(JSON.stringify({ stats }))).toEqual({
      passed: 4,
      failed: 2,
      skipped: 2,
    })
  })
})

describe('a story that passed', () => {
  const steps = (category: string, ...inner: { category: string; steps: [] }[]) => [
    { category, steps: inner },
  ]
  const assertion = { category: 'expect', steps: [] } as { category: string; steps: [] }
  it('has asserted, itself or within a step', () => {
    expect(hasAsserted(steps('expect'))).toBe(true)
    expect(hasAsserted(steps('test.step', assertion))).toBe(true)
  })
  it('has asserted nothing by what it did, and by what hooks and fixtures asserted', () => {
    expect(hasAsserted([])).toBe(false)
    expect(hasAsserted(steps('pw:api'))).toBe(false)
    expect(hasAsserted(steps('hook', assertion))).toBe(false)
    expect(hasAsserted(steps('fixture', assertion))).toBe(false)
  })
})

describe('a command', () => {
  it('takes everything that it started with it', async () => {
    // The grandchild keeps our pipe open, so this resolves only when it has ended.
    const script = `require('child_process')
      .spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e3)'], { stdio: 'inherit' })
      .once('spawn', () => process.exit(0))`
    expect(await runCommand(process.execPath, ['-e', script])).toEqual({ isOk: true, output: '' })
  })
  it('is ended when it says nothing for as long as it may', async () => {
    const script = "console.log('begun'); setInterval(() => {}, 1e3)"
    const silentMinutes = 0.06
    const { isOk, output } = await runCommand(process.execPath, ['-e', script], { silentMinutes })
    expect(isOk).toBe(false)
    expect(output).toMatch(/^begun\n\nended: it said nothing for/)
  })
  it('may go on for longer while it says something', async () => {
    const script = `let said = 0
      const timer = setInterval(() => (console.log('.'), ++said === 15 && clearInterval(timer)), 300)`
    const silentMinutes = 0.06
    const ended = await runCommand(process.execPath, ['-e', script], { silentMinutes })
    expect(ended).toEqual({ isOk: true, output: '.\n'.repeat(15) })
  })
})

describe('the specification', () => {
  const rows = rowsOf(
    '| number | says |\n| 2.1 | a | routes |\n| 2.2 | b | design 3: stat cards |\n',
  )
  const shown = numbersIn(
    'e2e/specification/routes.spec.ts',
    "test('addresses [2.1]', async () => {",
  )

  it('is whole when each number has its test or its row of the design', () => {
    expect(compare(rows, shown)).toEqual([])
  })
  it('names a number without a test, one that is not there, and one that stands twice', () => {
    expect(compare(rows, [])).toEqual(['2.1 has no test in e2e/specification/routes.spec.ts'])
    expect(compare(rows, [...shown, { number: '2.9', path: 'e2e/a.spec.ts' }])).toEqual([
      'e2e/a.spec.ts names 2.9, which is not in docs/specification.md',
    ])
    expect(compare([...rows, ...rows.slice(0, 1)], shown)).toEqual([
      '2.1 stands twice in docs/specification.md',
    ])
    expect(compare([], shown)).toEqual(['docs/specification.md has no row'])
  })
  it('takes no test for another file, and no replacement without its row', () => {
    const elsewhere = shown.map((each) => ({ ...each, path: 'e2e/specification/login.spec.ts' }))
    expect(compare(rows, elsewhere)).toHaveLength(1)
    expect(compare(rowsOf('| 2.2 | b | design 3: |\n'), [])).toHaveLength(1)
  })
  it('reads several numbers of one title, and no other brackets', () => {
    const text =
      "test('two of them [2.11 2.12]', f)\nconst a = list[1.5]\ntest(`in a loop [3.1]`, f)"
    expect(numbersIn('x', text).map(({ number }) => number)).toEqual(['2.11', '2.12', '3.1'])
  })
})

describe('the decisions', () => {
  it('names only files that are there', () => {
    const files = ['server/http/serve.ts']
    expect(missingFiles('a.md', '`serve.ts`, `http/serve.ts`, `-store.ts`', files)).toEqual([])
    expect(missingFiles('a.md', '`mail/serve.ts`, `erve.ts`', files)).toEqual([
      'a.md names mail/serve.ts, which is not there',
      'a.md names erve.ts, which is not there',
    ])
  })

  const decision = { file: '001-a-rule.md', text: '# 001: A rule\n\n**Decision.** ...\n' }
  const decisions = [decision]
  const index = '- [001](001-a-rule.md) A rule\n'
  const named = decisionsIn('server/a.ts', '/** Why it is so (decision 001). */')

  it('are whole when each is in the index and named where it binds', () => {
    expect(compareDecisions(decisions, index, named)).toEqual([])
    expect(decisionsIn('a.ts', 'docs/decisions/016, Decision 012, 2012')).toHaveLength(2)
  })
  it('names one that the index lacks, or has under another title', () => {
    const needed = ["docs/decisions/README.md needs one line '- [001](001-a-rule.md) A rule'"]
    expect(compareDecisions(decisions, '', named)).toEqual(needed)
    expect(compareDecisions(decisions, index.replace('A rule', 'A motto'), named)).toEqual(needed)
  })
  it('names one that no file names, and a number or a file that is not there', () => {
    expect(compareDecisions(decisions, index, [])).toEqual([
      'decision 001 is named neither in the code nor in ARCHITECTURE.md',
    ])
    const elsewhere = [...named, { number: '009', path: 'server/b.ts' }]
    expect(compareDecisions(decisions, `${index}- [009](009-b.md) B\n`, elsewhere)).toEqual([
      'docs/decisions/README.md names 009-b.md, which is not there',
      'server/b.ts names decision 009, which is not there',
    ])
  })
  it('names another form of heading', () => {
    const old = [{ ...decision, text: decision.text.replace('001:', '1.') }]
    expect(compareDecisions(old, index, named)).toHaveLength(1)
    expect(compareDecisions([], index, named)).toHaveLength(1)
  })
})
