/**
 * A fresh DATA_DIR for a product. Making a cluster is half the work of a first start, so a run of tests makes one and copies it.
 * That a product starts from nothing has tests of its own (`server/main.test.ts`, `embedded-postgres.test.ts`).
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const TEMPLATE = 'MAILSTEAD_TEST_DATA_DIR'

/** From now on, in this process and in those that it starts. The folder holds a cluster that is stopped. */
export const copyFrom = (folder: string): void => {
  process.env[TEMPLATE] = folder
}

export const aDataDir = (): string => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mailstead-story-'))
  putCluster(dataDir)
  return dataDir
}

/** Without a template it stays empty. */
export const putCluster = (dataDir: string): void => {
  const template = process.env[TEMPLATE]
  if (template !== undefined) copyCluster(template, dataDir)
}

export const copyCluster = (from: string, to: string): void => {
  linkPrograms(from, to)
  // With its owner, which Node's own way of copying does not keep.
  for (const name of ['database-password', 'postgres'])
    execFileSync('cp', ['-a', join(from, name), join(to, name)])
}

const linkPrograms = (from: string, to: string): void => {
  const programs = join(from, 'runtime')
  if (!existsSync(programs)) return
  // Root's PostgreSQL runs under another account, which must be able to enter.
  chmodSync(to, 0o711)
  symlinkSync(programs, join(to, 'runtime'))
}
