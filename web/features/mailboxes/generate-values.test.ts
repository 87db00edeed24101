import { expect, test } from 'vitest'
import { emptyValues, generateResolver, stepOfField } from './generate-values.ts'

const options = { fields: {}, shouldUseNativeValidation: false }
const errorsOf = async (values: Parameters<typeof generateResolver>[0]) => {
  const { errors } = await generateResolver(values, undefined, options)
  return Object.fromEntries(Object.entries(errors).map(([field, error]) => [field, error?.message]))
}

test('what is not chosen is refused in the words of the form', async () => {
  expect(await errorsOf(emptyValues)).toEqual({
    domains: 'At least one domain must be selected',
    count: 'At least one mailbox must be generated',
    nameType: 'At least one name must be selected',
  })
})

const names = [{ firstName: 'Johanna', lastName: 'Ellery' }]
const chosen = { ...emptyValues, domains: ['example.com'], count: 1, nameType: 'any' as const }

test('a form that is filled in passes, with and without a signature', async () => {
  expect(await errorsOf({ ...chosen, names })).toEqual({})
  expect(await errorsOf({ ...chosen, names, signature: '<p>Kind regards</p>' })).toEqual({})
})

test('as many names as mailboxes', async () => {
  for (const given of [names, []])
    expect(await errorsOf({ ...chosen, count: 2, names: given })).toEqual({
      names: 'You must provide 2 name(s)',
    })
})

test('every name without Latin letters is told of', async () => {
  const people = [
    ...names,
    { firstName: '李小龙李小', lastName: '王王王王王' },
    { firstName: 'Νίκος', lastName: 'Ελλάδα' },
  ]
  const values = { ...chosen, count: 3, names: people }
  const { errors } = await generateResolver(values, undefined, options)
  const refused = expect.stringContaining('please write this name in Latin letters')
  expect(errors.names).toMatchObject({
    1: { firstName: { message: refused } },
    2: { firstName: { message: refused } },
  })
  expect(Object.keys(errors.names ?? {})).toEqual(['1', '2'])
})

test('a refused field is found on its step', () => {
  expect(['domains', 'names', 'signature', 'unknown'].map(stepOfField)).toEqual([0, 1, 2, 0])
})
