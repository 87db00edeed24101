import type { UseFormReturn } from 'react-hook-form'
import { expect, test } from 'vitest'
import { ApiError } from './api/api-error.ts'
import { showFieldErrors } from './form-errors.ts'

type Values = { name: string; people: { firstName: string }[] }

/** A fake form: its values, and the errors set at its fields. */
const aForm = () => {
  const said: Record<string, string> = {}
  const values: Values = { name: '', people: [] }
  const form = {
    getValues: () => values,
    setError: (field: string, { message }: { message: string }) => {
      said[field] = message
    },
  } as unknown as UseFormReturn<Values>
  return { form, said }
}

const refused = (data: Record<string, unknown>, type = 'VALIDATION') =>
  new ApiError({ type, message: 'Please check', statusCode: 422, path: '/x', data })

test('messages are put at their fields, also within lists', () => {
  const { form, said } = aForm()
  const data = { name: 'Taken', 'people.0.firstName': 'Too short' }
  expect(showFieldErrors(form, refused(data))).toBe(true)
  expect(said).toEqual(data)
})

test('a message that has no field here is left for the caller to show', () => {
  const { form, said } = aForm()
  expect(showFieldErrors(form, refused({ name: 'Taken', session: 'Bad' }))).toBe(false)
  expect(said).toEqual({ name: 'Taken' })
})

test('other errors are not for fields', () => {
  const { form, said } = aForm()
  expect(showFieldErrors(form, refused({ name: 'x' }, 'DOMAIN_EXISTS'))).toBe(false)
  expect(showFieldErrors(form, new Error('name'))).toBe(false)
  expect(showFieldErrors(form, refused({}))).toBe(false)
  expect(said).toEqual({})
})
