import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { titleAt } from './page-titles.ts'
import { paths } from './paths.ts'

const folder = new URL('./features/', import.meta.url)
const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.tsx'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
const shown = texts.flatMap((text) =>
  [...text.matchAll(/usePageTitle\('([^']+)'\)/g)].map(([, title = '']) => title),
)

test('what pages call themselves is what the server calls them, and nothing else', () => {
  const served = Object.values(paths)
    .map((path) => titleAt(path()))
    .filter((title) => title !== null)
  expect(shown.length).toBeGreaterThan(20)
  expect(shown.filter((title) => !served.includes(title))).toEqual([])
})

test('a page is called the same with a slash at its end, and what is no page has no name', () => {
  expect(titleAt('/login/')).toBe('Login')
  expect(titleAt('/dashboard/domains/0199')).toBe('Domain')
  expect([titleAt('/'), titleAt('/nowhere'), titleAt('/dashboard/nowhere')]).toEqual([
    null,
    null,
    null,
  ])
})
