/** The sources of other versions of the product, in folders of their own: of a commit, and of a release after this one. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { schema } from '#server/storage/open-storage.ts'

const OURS = join(import.meta.dirname, '../../..')
const STORAGE = 'server/storage'

/** Packages and the web app of this one. */
const aTree = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'mailstead-test-version-'))
  for (const part of ['node_modules', '.build', '.runtime'])
    if (existsSync(join(OURS, part))) symlinkSync(join(OURS, part), join(root, part))
  return root
}

/** @throws when it needs other packages */
export const versionOf = (commit: string): string => {
  const root = aTree()
  const parts = ['server', 'contract', 'package.json', 'package-lock.json', 'tsconfig.json']
  const archive = execFileSync('git', ['archive', commit, ...parts], {
    ...{ cwd: OURS, maxBuffer: 1_000_000_000 },
  })
  execFileSync('tar', ['-x', '-C', root], { input: archive })
  const lock = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8')
  if (lock(root) !== lock(OURS)) throw new Error(`${commit} has other packages`)
  return root
}

/** The migration that the next version brings. */
export const NEXT = '9998-next'

/** It widens the table that has the most work, and knows this version as the release before it. */
export const theNextVersion = (): string => {
  const root = aTree()
  for (const part of ['server', 'contract', 'package.json', 'tsconfig.json'])
    cpSync(join(OURS, part), join(root, part), { recursive: true })
  const newest = Object.keys(schema.migrations).at(-1)
  rewrite(
    join(root, STORAGE, 'migrations.ts'),
    /(export const migrations.*?)\n\}\n/s,
    `$1\n  '${NEXT}': { up: async (db) => db.schema.alterTable('messages').addColumn('next', 'text').execute() },\n}\n`,
  )
  rewrite(
    join(root, STORAGE, 'open-storage.ts'),
    `LAST_RELEASE = '${schema.lastRelease}'`,
    `LAST_RELEASE = '${newest}'`,
  )
  return root
}

/** @throws when there is nothing to rewrite */
const rewrite = (file: string, what: RegExp | string, by: string): void => {
  const text = readFileSync(file, 'utf8')
  const written = text.replace(what, by)
  if (written === text) throw new Error(`${file} has no ${what}`)
  writeFileSync(file, written)
}

/** Whether a program of this version starts on our database (decision 134). */
export const worksWithOurs = (root: string): boolean =>
  readdirSync(join(root, STORAGE, 'migrations'), { recursive: true, encoding: 'utf8' }).some(
    (file) => basename(file, '.ts') === schema.lastRelease,
  )
