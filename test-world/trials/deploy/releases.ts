/** A release as `npm run release` writes it, and the next one: the same under another version. */
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../peers/tools.ts'

export type Releases = {
  versions: { now: string; next: string }
  /** Files. */
  now: string
  next: string
  /** `now` unpacked. */
  folder: string
  close(): void
}

const NOW: string = JSON.parse(readFileSync('package.json', 'utf8')).version
/** The one that the page upgrades to. */
const [, NEXT = ''] =
  /mailstead-([\d.]+)\.tar/.exec(readFileSync('docs/operating/upgrade.md', 'utf8')) ?? []

export const makeReleases = async (): Promise<Releases> => {
  await must(process.execPath, ['scripts/release.js'])
  const folder = join(process.cwd(), mkdtempSync('.build/releases-'))
  const fileOf = (version: string) => join(folder, `mailstead-${version}.tar.gz`)
  const at = (version: string) => join(folder, `mailstead-${version}`)
  renameSync(`.build/mailstead-${NOW}.tar.gz`, fileOf(NOW))
  await must('tar', ['-xzf', fileOf(NOW), '-C', folder])
  renameSync(at(NOW), at(NEXT))
  const project = readFileSync(join(at(NEXT), 'package.json'), 'utf8')
  writeFileSync(join(at(NEXT), 'package.json'), project.replace(`"${NOW}"`, `"${NEXT}"`))
  await must('tar', ['-czf', fileOf(NEXT), '-C', folder, `mailstead-${NEXT}`])
  await must('tar', ['-xzf', fileOf(NOW), '-C', folder])
  return {
    versions: { now: NOW, next: NEXT },
    ...{ now: fileOf(NOW), next: fileOf(NEXT), folder: at(NOW) },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const must = async (command: string, args: string[]): Promise<void> => {
  const { code, said } = await run(command, args)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${said}`)
}
