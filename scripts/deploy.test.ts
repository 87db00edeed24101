/** What a release says of itself agrees, wherever it says it. The soak runs its commands (decision 105). */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as transfer from '#contract/mail/transfer.ts'
import * as writing from '#contract/mail/writing.ts'
import * as messages from '#contract/messages.ts'
import { headingsOf, triedHere } from '#test-world/trials/deploy/page-commands.ts'
import { tried } from '#test-world/trials/deploy/try-deployment.ts'

const read = (path: string): string => readFileSync(path, 'utf8')
const { version, scripts } = JSON.parse(read('package.json'))

test('the newest version of the CHANGELOG, the pages and README are that of package.json', () => {
  expect(/^## (\S+)$/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version)
  for (const page of ['README.md', 'docs/operating/install.md'])
    expect(new Set(read(page).match(/(?<=mailstead-)\d+\.\d+\.\d+/g))).toEqual(new Set([version]))
})

test('README has the three lines of the page, and no others', () => {
  const linesIn = (text: string, heading: string): string =>
    /^```sh\n([\s\S]*?)^```/m.exec(text.split(`\n## ${heading}\n`)[1] ?? '')?.[1] ?? heading
  const lines = linesIn(read('README.md'), 'Run it for others')
  expect(lines.trim().split('\n')).toHaveLength(3)
  expect(lines).toBe(linesIn(read('docs/operating/install.md'), 'On a machine of its own'))
})

test('the soak runs every command of the pages', () => {
  const elsewhere: Record<string, readonly string[]> = triedHere
  for (const [page, headings] of Object.entries(tried))
    expect(headingsOf(page).toSorted()).toEqual(
      [...headings, ...(elsewhere[page] ?? [])].toSorted(),
    )
})

test('the example for nginx lets the largest request through', () => {
  const limits = [messages, writing, transfer].flatMap((routes) =>
    Object.values(routes).map((each) =>
      typeof each === 'object' && 'bodyLimitBytes' in each ? (each.bodyLimitBytes ?? 0) : 0,
    ),
  )
  const [, megabytes] = /client_max_body_size (\d+)m;/.exec(read('deploy/nginx.conf')) ?? []
  const largest = Math.max(...limits)
  expect(largest).toBeGreaterThan(25_000_000)
  expect(Number(megabytes) * 1024 * 1024).toBeGreaterThan(largest)
})

test('a release has the commands that its pages name', () => {
  const release = read('scripts/release.js')
  for (const command of ['start', 'setup', 'operator']) {
    expect(release).toContain(`'${command}'`)
    expect(release).toContain(`'scripts/${command}.js'`)
    expect(scripts[command]).toBe(`node scripts/${command}.js`)
  }
})
