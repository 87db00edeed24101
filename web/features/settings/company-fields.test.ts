import { expect, test } from 'vitest'
import { companyForm } from '#contract/workspaces.ts'
import { countryOptions } from '#web/lib/countries.ts'
import { timeFormatOptions, timeZoneOptions } from './company-fields.tsx'

const accepts = (field: 'country' | 'timeZone' | 'timeFormat', value: string) =>
  companyForm.shape[field].safeParse(value).success

test('the specification’s options come first, under their values', () => {
  expect(countryOptions().slice(0, 3)).toEqual([
    { value: 'usa', label: 'USA' },
    { value: 'canada', label: 'Canada' },
    { value: 'uk', label: 'UK' },
  ])
  expect(
    timeZoneOptions('')
      .slice(0, 3)
      .map(({ value }) => value),
  ).toEqual(['pst', 'est', 'gmt'])
  expect(timeFormatOptions.map(({ value }) => value)).toEqual(['12h', '24h'])
})

test('every country of the world is there once, under its name', () => {
  const options = countryOptions()
  expect(options).toHaveLength(249)
  expect(new Set(options.map(({ label }) => label)).size).toBe(249)
  expect(options.filter(({ value, label }) => value === label)).toEqual([])
  expect(options).toContainEqual({ value: 'CI', label: 'Côte d’Ivoire' })
})

test('whatever is offered is accepted', () => {
  for (const { value } of countryOptions())
    expect([value, accepts('country', value)]).toEqual([value, true])
  const zones = timeZoneOptions('')
  expect(zones.length).toBeGreaterThan(400)
  for (const { value } of zones) expect([value, accepts('timeZone', value)]).toEqual([value, true])
  for (const { value } of timeFormatOptions) expect(accepts('timeFormat', value)).toBe(true)
})

test('a zone that only the server knows stays chosen', () => {
  expect(timeZoneOptions('Europe/Nowhere_New')).toContainEqual({
    value: 'Europe/Nowhere_New',
    label: 'Europe/Nowhere New',
  })
})
