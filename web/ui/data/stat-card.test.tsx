import { Globe } from 'lucide-react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { StatisticCard } from './stat-card.tsx'

const markup = (given: Partial<Parameters<typeof StatisticCard>[0]> = {}): string =>
  renderToStaticMarkup(<StatisticCard title="Total Domains" count={42} icon={Globe} {...given} />)

test('a statistic card shows its title, its count and its icon', () => {
  const card = markup()
  expect(card).toContain('aria-label="Total Domains"')
  expect(card).toMatch(/<h2[^>]*>Total Domains<\/h2>/)
  expect(card).toMatch(/<p[^>]*>42<\/p>/)
  expect(card).toMatch(/<svg[^>]*lucide-globe/)
  expect(card).not.toContain('style=')
})

test('with a background colour its text is white, or of the colour given [2.39]', () => {
  expect(markup({ backgroundColor: '#1e3a8a' })).toContain(
    'style="background-color:#1e3a8a;color:white"',
  )
  expect(markup({ backgroundColor: 'gold', textColor: 'black' })).toContain(
    'style="background-color:gold;color:black"',
  )
})

test('its class name stands beside its own classes', () => {
  const [classes] =
    /(?<=<section[^>]* class=")[^"]*/.exec(markup({ className: 'col-span-2' })) ?? []
  expect(classes?.split(' ')).toEqual(expect.arrayContaining(['rounded-card', 'col-span-2']))
})

test('while the count is being read nothing is in its place', () => {
  expect(markup({ count: undefined })).not.toContain('42')
  expect(markup({ count: undefined })).toContain('animate-shimmer')
})
