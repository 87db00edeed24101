/** The sources of other versions of the product, in folders of their own: of a commit, and of a release after this one. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { schema } from '#server/storage/open-storage.ts'

const OURS = join(import.meta.dirname, '../../..')
const STORAGE = 'server/storage/open-storage.ts'

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

/** It widens the table that has the most work, and knows this version as the release before it. */
export const theNextVersion = (): string => {
  const root = aTree()
  for (const part of ['server', 'contract', 'package.json', 'tsconfig.json'])
    cpSync(join(OURS, part), join(root, part), { recursive: true })
  const newest = Object.keys(schema.migrations).at(-1)
  const text = readFileSync(join(root, STORAGE), 'utf8')
    .replace(
      /(export const migrations.*?)\n\}\n/s,
      `$1\n  '9998-next': { up: async (db) => db.schema.alterTable('messages').addColumn('next', 'text').execute() },\n}\n`,
    )
    .replace(`LAST_RELEASE = '${schema.lastRelease}'`, `LAST_RELEASE = '${newest}'`)
  writeFileSync(join(root, STORAGE), text)
  return root
}
