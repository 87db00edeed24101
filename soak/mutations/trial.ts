/** A copy of the project with one mutation at a time, and the tests that should detect it. */
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Mutation } from './mutation.ts'

/** `redBy`: the check that detected it; null when none did. `test`: the first failed test, when the check has tests. */
export type Verdict = { redBy: string | null; test: string; seconds: number }
type Copy = { try(mutation: Mutation): Promise<Verdict>; close(): void }
type Check = { name: string; args: string[] }

export const TYPES = 'types'
const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js'

const parts = ['contract', 'server', 'web', 'e2e', 'scripts', 'test-world', 'demo']
const files = ['package.json', 'package-lock.json', 'tsconfig.json']
const configs = ['vite.config.ts', 'vitest.config.ts', 'playwright.config.ts']

export const openCopy = async (): Promise<Copy> => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-mutations-'))
  for (const part of [...parts, ...files, ...configs])
    cpSync(part, join(folder, part), { recursive: true })
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  if (existsSync('.runtime')) symlinkSync(join(process.cwd(), '.runtime'), join(folder, '.runtime'))
  return {
    try: async (mutation) => {
      const startedAt = performance.now()
      const path = join(folder, mutation.path)
      const text = readFileSync(path, 'utf8')
      writeFileSync(path, text.slice(0, mutation.start) + mutation.after + text.slice(mutation.end))
      try {
        const red = await firstRed(folder, mutation)
        const seconds = Math.round((performance.now() - startedAt) / 1000)
        return { redBy: red?.name ?? null, test: red?.test ?? '', seconds }
      } finally {
        writeFileSync(path, text)
      }
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const firstRed = async (
  folder: string,
  mutation: Mutation,
): Promise<{ name: string; test: string } | null> => {
  for (const check of checksOf(mutation)) {
    const test = await failureOf(folder, check)
    if (test !== null) return { name: check.name, test }
  }
  return null
}

/** The checks of `npm test`, quick and likely ones first. */
const checksOf = ({ kind, path, before }: Mutation): Check[] => [
  { name: TYPES, args: ['node_modules/ts7/bin/tsc', '-p', '.'] },
  {
    name: 'unit',
    args: ['node_modules/vitest/vitest.mjs', 'run', '--bail', '1', 'web', 'contract'],
  },
  { name: 'web build', args: ['scripts/build-web.js'] },
  ...(kind === 'text' ? storiesThatSay(before) : []).map(story),
  ...likelyStories(path).map(story),
  story('e2e/specification'),
  story('e2e'),
]

const story = (name: string): Check => ({
  name,
  args: [PLAYWRIGHT, 'test', '--max-failures=1', '--reporter=list', name],
})

const storiesOf: Record<string, string[]> = {
  'web/features/auth': ['login', 'sign-up', 'forgot', 'verify-email', 'new-password', 'google'],
  'web/dns-records': ['onboarding', 'specification/wizard', 'dns-link'],
  'web/features/dns-link': ['dns-link'],
  'web/features/domains': [
    'specification/domains',
    'specification/wizard',
    'onboarding',
    'dns-link',
  ],
  'web/features/mailboxes': ['specification/mailbox', 'specification/generate'],
  'web/features/mail/access': ['access', 'first-view'],
  'web/features/mail/compose': ['writing', 'web-mail'],
  'web/features/mail/list': ['mail-selection', 'morning-mail', 'web-mail'],
  'web/features/mail/reader': ['reading', 'bounce', 'hostile-mail'],
  'web/mail-content': ['hostile-mail', 'reading'],
  'web/features/mailbox-settings': ['brakes', 'bounce'],
  'web/features/mail/settings': [
    'web-mail',
    'specification/editor',
    'vacation',
    'aliases',
    'transfer',
  ],
  'web/features/mail/': ['web-mail', 'morning-mail', 'keyboard'],
  'web/features/sandbox-dns': ['demo'],
  'web/features/settings': ['specification/settings', 'specification/validation', 'invitations'],
  'web/features/profile': ['specification/profile', 'specification/validation'],
  'web/features/home': ['specification/home'],
  'web/features/not-found': ['specification/routes'],
  'web/layouts': [
    'specification/shell',
    'specification/command-palette',
    'specification/workspaces',
  ],
  'web/lib': [
    'specification/session',
    'specification/calls',
    'specification/errors',
    'specification/toasts',
  ],
  'web/ui/editor': ['specification/editor'],
  'web/ui/data': ['specification/domains', 'specification/mailboxes', 'long-tables', 'screens'],
  'web/ui/form': ['specification/validation', 'specification/login', 'specification/settings'],
  'web/ui/overlay': ['specification/mailbox-dialog', 'specification/toasts', 'keyboard'],
  'web/ui/state': ['specification/domains', 'failures', 'screens'],
  'web/first-view': ['first-view'],
}

const likelyStories = (path: string): string[] =>
  Object.entries(storiesOf).find(([folder]) => path.startsWith(folder))?.[1] ?? []

/** Stories that contain the first words of the text. */
const storiesThatSay = (text: string): string[] => {
  const [words = ''] = /[A-Za-z][\w ,.]*/.exec(text) ?? []
  return readdirSync('e2e', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => join('e2e', name))
    .filter((path) => readFileSync(path, 'utf8').includes(words.trim()))
    .slice(0, 3)
}

/**
 * The first failing test ('' when the check has none); null when all pass. A failure that does not repeat came from a busy
 * machine, not from the mutation: the check runs again.
 */
const failureOf = async (folder: string, { args }: Check): Promise<string | null> => {
  for (;;) {
    const first = await run(folder, args)
    if (first.isGreen) return null
    const second = args[0] === PLAYWRIGHT ? await run(folder, [...args, '--last-failed']) : first
    if (!second.isGreen) return nameOfFailed(second.output)
    console.log(`not the mutation, but a busy computer: ${nameOfFailed(first.output)}`)
  }
}

/** The marks of Playwright's and Vitest's reporters. */
const failedTest = /^\s*(?:✘|×|FAIL|\d+\)).*\.(?:spec|test)\.ts.* [›>] .*$/m
const nameOfFailed = (output: string): string => failedTest.exec(output)?.[0].trim() ?? ''

type Run = { isGreen: boolean; output: string }

const run = (folder: string, args: string[]): Promise<Run> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    child.on('close', (code) =>
      resolve({ isGreen: code === 0, output: stripVTControlCharacters(output) }),
    )
  })
