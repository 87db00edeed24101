import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { options, resolving } from './rules.ts'

const folders = ['contract', 'server', 'web']

type Looked = { files: string[]; faults: string[] }

/** @throws when there was nothing to check: a checker that sees no file must not pass */
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
  it('all point the right way, and every file was looked at', async () => {
    const { files, faults } = await look(process.cwd())
    const onDisk = folders.flatMap((folder) => sourcesIn(process.cwd(), folder))
    expect(faults).toEqual([])
    expect(files.toSorted()).toEqual(onDisk.toSorted())
    expect(files.length).toBeGreaterThan(100)
  })
})

/** Every bad import in one tree, each in files of its own: one look finds all of them, and nothing else (decision 055). */
describe('a planted bad import is seen', () => {
  let folder = ''
  let faults: string[] = []
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mailstead-arrows-'))
    const imports = {
      '#contract/*': './contract/*',
      '#server/*': './server/*',
      '#web/*': './web/*',
    }
    plant('package.json', JSON.stringify({ type: 'module', imports }))
    for (const [, from, to] of planted) {
      plant(targetOf(from, to), 'export type B = string\n')
      plant(from, `import type { B } from '${to}'\nexport type A = B\n`)
    }
    plantQueries()
    plantWhatHasNoPlace()
    faults = (await look(folder)).faults
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const plant = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }

  const plantQueries = (): void => {
    plant('node_modules/kysely/package.json', '{ "name": "kysely", "exports": "./index.js" }')
    plant('node_modules/kysely/index.js', 'export const sql = 1\n')
    for (const name of ['query', 'auth-store'])
      plant(
        `server/features/accounts/${name}.ts`,
        "import { sql } from 'kysely'\nexport const a = sql\n",
      )
  }

  const plantWhatHasNoPlace = (): void => {
    plant('server/lib/one.ts', "import { b } from './two.ts'\nexport const a = b\n")
    plant('server/lib/two.ts', "import { a } from './one.ts'\nexport const b = a\n")
    plant('contract/lost.ts', "import { d } from './missing.ts'\nexport const c = d\n")
    plant(
      'server/features/surprise/e.ts',
      "import { a } from '#server/lib/alone.ts'\nexport const e = a\n",
    )
    plant('server/lib/alone.ts', 'export const a = 1\n')
  }

  const planted = [
    ['layer server/features', 'server/features/domains/from-a.ts', '#server/mail/to-a.ts'],
    ['layer server/http', 'server/http/from-b.ts', '#server/jobs/to-b.ts'],
    ['layer server/http', 'server/http/from-c.ts', '#server/storage/to-c.ts'],
    ['layer server/storage', 'server/storage/from-d.ts', '#server/features/accounts/to-d.ts'],
    ['layer server/standards', 'server/standards/from-e.ts', '#contract/to-e.ts'],
    ['layer server/lib', 'server/lib/from-f.ts', '#server/config.ts'],
    ['layer server/dns', 'server/dns/from-g.ts', '#server/features/domains/to-g.ts'],
    ['layer web/ui', 'web/ui/from-h.tsx', '#web/lib/to-h.ts'],
    [
      'feature order outbox',
      'server/features/outbox/from-i.ts',
      '#server/features/accounts/to-i.ts',
    ],
    [
      'feature order domains',
      'server/features/domains/from-j.ts',
      '#server/features/stats/to-j.ts',
    ],
    [
      'a store is private to its feature',
      'server/features/billing/from-k.ts',
      '#server/features/accounts/to-k-store.ts',
    ],
    [
      'only features use stores and queries',
      'server/http/from-l.ts',
      '#server/features/accounts/to-l-store.ts',
    ],
    [
      'only features use stores and queries',
      'server/mail/from-s.ts',
      '#server/features/accounts/to-s-queries.ts',
    ],
    [
      'feature order accounts',
      'server/features/accounts/from-t-queries.ts',
      '#server/features/sending/to-t-queries.ts',
    ],
    ['web and server meet only in contract', 'web/lib/from-m.ts', '#server/lib/to-m.ts'],
    ['server never imports web', 'server/http/from-n.ts', '#web/lib/to-n.ts'],
    ['web features stay apart', 'web/features/domains/from-o.tsx', '#web/features/mail/to-o.tsx'],
    ['mail room order compose', 'web/features/compose/from-p.tsx', '#web/features/mail/to-p.tsx'],
    [
      'mailboxes know nothing of their access',
      'server/features/mailboxes/from-s.ts',
      './access/to-s.ts',
    ],
    ['contract is plain zod', 'contract/from-q.ts', '#server/lib/to-q.ts'],
    ['only tests use test-world and scripts', 'server/lib/from-r.ts', '../../test-world/to-r.ts'],
  ] as const

  it.each(planted)('%s: %s -> %s', (name, from, to) => {
    expect(faults).toContain(`${name}: ${from} -> ${targetOf(from, to)}`)
  })

  it('SQL outside a store', () => {
    expect(faults.filter((fault) => fault.startsWith('SQL only in stores'))).toEqual([
      'SQL only in stores: server/features/accounts/query.ts -> node_modules/kysely/index.js',
    ])
  })

  it('a cycle, an import of nothing, a feature without a place', () => {
    expect(faults.join('\n')).toMatch(/no cycles: server\/lib/)
    expect(faults.join('\n')).toMatch(/no unresolved imports: contract\/lost\.ts/)
    expect(faults.join('\n')).toMatch(
      /every feature has its place in the order: server\/features\/surprise/,
    )
  })

  it('and no import that was not planted bad', () => {
    const bad = new Set([
      ...planted.map(([, from]) => from),
      ...['server/features/accounts/query.ts', 'server/features/surprise/e.ts'],
      ...['server/lib/one.ts', 'server/lib/two.ts', 'contract/lost.ts'],
    ])
    const fromOf = (fault: string) => fault.split(': ')[1]?.split(' -> ')[0] ?? ''
    expect(faults.map(fromOf).filter((from) => !bad.has(from))).toEqual([])
  })
})

it('looking at no file fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-arrows-'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  await expect(look(folder)).rejects.toThrow('no file was looked at')
  rmSync(folder, { recursive: true })
})

const targetOf = (from: string, to: string): string =>
  to.startsWith('#') ? to.slice(1) : join(dirname(from), to)
