import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { options, resolving } from './rules.ts'

const folders = ['contract', 'server', 'web']

type Looked = { files: string[]; faults: string[] }

/** @throws when there was nothing to look at: a checker that sees nothing must not be content. */
const look = async (baseDir: string): Promise<Looked> => {
  const present = folders.filter((folder) => sourcesIn(baseDir, folder).length > 0)
  if (present.length === 0) throw new Error('no file was looked at')
  const { output } = await cruise(present, { ...options, baseDir }, resolving)
  const { modules, summary } = output as ICruiseResult
  return {
    files: modules.map(({ source }) => source).filter((path) => isSource(path)),
    faults: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
  }
}

const isSource = (path: string): boolean =>
  /\.tsx?$/.test(path) && folders.some((folder) => path.startsWith(`${folder}/`))

const sourcesIn = (baseDir: string, folder: string): string[] => {
  try {
    return readdirSync(join(baseDir, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter(isSource)
  } catch {
    return []
  }
}

describe('the arrows between our folders', () => {
  it('all point the right way, and every file was looked at', { timeout: 60_000 }, async () => {
    const { files, faults } = await look(process.cwd())
    const onDisk = folders.flatMap((folder) => sourcesIn(process.cwd(), folder))
    expect(faults).toEqual([])
    expect(files.toSorted()).toEqual(onDisk.toSorted())
    expect(files.length).toBeGreaterThan(100)
  })
})

describe('a planted bad import is seen', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mailstead-arrows-'))
    const imports = {
      '#contract/*': './contract/*',
      '#server/*': './server/*',
      '#web/*': './web/*',
    }
    plant('package.json', JSON.stringify({ type: 'module', imports }))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const plant = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }

  const planted = [
    ['layer server/features', 'server/features/domains/a.ts', '#server/mail/b.ts'],
    ['layer server/http', 'server/http/a.ts', '#server/jobs/b.ts'],
    ['layer server/http', 'server/http/a.ts', '#server/storage/b.ts'],
    ['layer server/storage', 'server/storage/a.ts', '#server/features/accounts/b.ts'],
    ['layer server/standards', 'server/standards/a.ts', '#contract/b.ts'],
    ['layer server/lib', 'server/lib/a.ts', '#server/config.ts'],
    ['layer server/dns', 'server/dns/a.ts', '#server/features/domains/b.ts'],
    ['layer web/ui', 'web/ui/a.tsx', '#web/lib/b.ts'],
    ['feature order outbox', 'server/features/outbox/a.ts', '#server/features/accounts/b.ts'],
    ['feature order domains', 'server/features/domains/a.ts', '#server/features/stats/b.ts'],
    [
      'a store is private to its feature',
      'server/features/billing/a.ts',
      '#server/features/accounts/b-store.ts',
    ],
    ['only features use stores', 'server/http/a.ts', '#server/features/accounts/b-store.ts'],
    ['web and server meet only in contract', 'web/lib/a.ts', '#server/lib/b.ts'],
    ['server never imports web', 'server/http/a.ts', '#web/lib/b.ts'],
    ['web features stay apart', 'web/features/domains/a.tsx', '#web/features/mail/b.tsx'],
    ['mail room order compose', 'web/features/compose/a.tsx', '#web/features/mail/b.tsx'],
    ['contract is plain zod', 'contract/a.ts', '#server/lib/b.ts'],
    ['only tests use test-world and scripts', 'server/lib/a.ts', '../../test-world/b.ts'],
  ] as const

  it.each(planted)('%s: %s -> %s', async (name, from, to) => {
    const target = to.startsWith('#') ? to.slice(1) : join(dirname(from), to)
    plant(target, 'export type B = string\n')
    plant(from, `import type { B } from '${to}'\nexport type A = B\n`)
    const { faults } = await look(folder)
    expect(faults).toContain(`${name}: ${from} -> ${target}`)
  })

  it('SQL outside a store', async () => {
    plant('node_modules/kysely/package.json', '{ "name": "kysely", "exports": "./index.js" }')
    plant('node_modules/kysely/index.js', 'export const sql = 1\n')
    plant('server/features/accounts/a.ts', "import { sql } from 'kysely'\nexport const a = sql\n")
    plant(
      'server/features/accounts/auth-store.ts',
      "import { sql } from 'kysely'\nexport const a = sql\n",
    )
    const { faults } = await look(folder)
    expect(faults).toEqual([
      'SQL only in stores: server/features/accounts/a.ts -> node_modules/kysely/index.js',
    ])
  })

  it('a cycle, an import of nothing, a feature without a place', async () => {
    plant('server/lib/a.ts', "import { b } from './b.ts'\nexport const a = b\n")
    plant('server/lib/b.ts', "import { a } from './a.ts'\nexport const b = a\n")
    plant('contract/c.ts', "import { d } from './missing.ts'\nexport const c = d\n")
    plant(
      'server/features/surprise/e.ts',
      "import { a } from '#server/lib/a.ts'\nexport const e = a\n",
    )
    const { faults } = await look(folder)
    expect(faults.join('\n')).toMatch(/no cycles: server\/lib/)
    expect(faults.join('\n')).toMatch(/no unresolved imports: contract\/c\.ts/)
    expect(faults.join('\n')).toMatch(
      /every feature has its place in the order: server\/features\/surprise/,
    )
  })

  it('looking at no file fails', async () => {
    await expect(look(folder)).rejects.toThrow('no file was looked at')
  })
})
