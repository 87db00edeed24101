/** A release as `npm run release` writes it, and the next one: the same under another version. */
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../peers/tools.ts'

export type Releases = {
  /** Files. */
  now: string
  next: string
  /** `now` unpacked. */
  folder: string
  close(): void
}

/** Those of the pages. */
const [NOW, NEXT] = ['0.1.0', '0.2.0']

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
    ...{ now: fileOf(NOW), next: fileOf(NEXT), folder: at(NOW) },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const must = async (command: string, args: string[]): Promise<void> => {
  const { code, said } = await run(command, args)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${said}`)
}
