/**
 * A new DATA_DIR for a product. Creating a cluster is half of a first start, so a test run creates one and copies it. Starting
 * from nothing has tests of its own (`server/main.test.ts`, `embedded-postgres.test.ts`).
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const TEMPLATE = 'MAILSTEAD_TEST_DATA_DIR'

/** Sets the template, for this process and its children. The folder contains a stopped cluster. */
export const copyFrom = (folder: string): void => {
  process.env[TEMPLATE] = folder
}

export const aDataDir = (): string => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mailstead-story-'))
  putCluster(dataDir)
  return dataDir
}

/** Without a template the folder stays empty. */
export const putCluster = (dataDir: string): void => {
  const template = process.env[TEMPLATE]
  if (template !== undefined) copyCluster(template, dataDir)
}

export const copyCluster = (from: string, to: string): void => {
  linkPrograms(from, to)
  // Keeps the owner, unlike the copy functions of Node.
  for (const name of ['database-password', 'postgres'])
    execFileSync('cp', ['-a', join(from, name), join(to, name)])
}

const linkPrograms = (from: string, to: string): void => {
  const programs = join(from, 'runtime')
  if (!existsSync(programs)) return
  // Started by root, PostgreSQL runs under another account that must be able to enter the folder.
  chmodSync(to, 0o711)
  symlinkSync(programs, join(to, 'runtime'))
}
