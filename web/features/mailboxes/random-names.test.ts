import { expect, test } from 'vitest'
import { generateForm } from '#contract/mailboxes.ts'
import { namesFor } from './random-names.ts'

test.each(['male', 'female', 'any'] as const)(
  'names of %s pass the form that they fill',
  (type) => {
    for (let round = 0; round < 200; round += 1) {
      const names = namesFor(type, 5)
      expect(generateForm.safeParse({ domains: ['example.com'], count: 5, names }).success).toBe(
        true,
      )
      expect(new Set(names.map((name) => name.firstName)).size).toBe(5)
    }
  },
)

test('male and female names come from different lists', () => {
  const seen = (type: 'male' | 'female') =>
    new Set(
      Array.from({ length: 40 }, () => namesFor(type, 5))
        .flat()
        .map((n) => n.firstName),
    )
  expect([...seen('male')].filter((name) => seen('female').has(name))).toEqual([])
})

test('predefined names are left to be typed', () => {
  expect(namesFor('predefined', 2)).toEqual([
    { firstName: '', lastName: '' },
    { firstName: '', lastName: '' },
  ])
})
