import { createFormControl, type FieldValues } from 'react-hook-form'
import { expect, test } from 'vitest'
import { holdSent } from './hold-sent.ts'

/** A form as it is when mounted on a page. */
const aForm = <T extends FieldValues>(values: T) => {
  const form = createFormControl<T, unknown, T>({ values })
  form.control._state.mount = true
  form.subscribe({ formState: { isDirty: true, dirtyFields: true }, callback: () => {} })
  form.reset(values)
  return form
}

test('what is typed while a form is saved stays, and is still to be saved', () => {
  const form = aForm({ name: 'Ada', text: '', isOn: false })
  form.setValue('text', 'Away ', { shouldDirty: true })
  const saved = holdSent(form)
  form.setValue('text', 'Away until Monday', { shouldDirty: true })
  saved({ name: 'Ada', text: 'Away', isOn: true })
  expect(form.getValues()).toEqual({ name: 'Ada', text: 'Away until Monday', isOn: true })
  expect(form.getFieldState('text').isDirty).toBe(true)
  expect(form.getFieldState('name').isDirty).toBe(false)
})

test('without it the form is as the server has it', () => {
  const form = aForm({ text: '' })
  form.setValue('text', 'Away ', { shouldDirty: true })
  holdSent(form)({ text: 'Away' })
  expect(form.getValues()).toEqual({ text: 'Away' })
  expect(form.getFieldState('text').isDirty).toBe(false)
})
