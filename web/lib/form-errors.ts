/** Puts what the server refused at the fields of a form. */
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { ApiError } from './api/api-error.ts'

/**
 * True when every message found its field; then nothing else needs to be said. What was typed
 * stays. A message for a field that the form does not have leaves the answer false.
 */
export function showFieldErrors<T extends FieldValues>(
  form: Pick<UseFormReturn<T>, 'getValues' | 'setError'>,
  error: unknown,
): boolean {
  if (!(error instanceof ApiError) || error.type !== 'VALIDATION') return false
  const known = form.getValues()
  const refused = Object.entries(error.data).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  )
  const isAtField = ([field]: [string, string]) => (field.split('.')[0] ?? field) in known
  refused.filter(isAtField).forEach(([field, message], index) => {
    form.setError(field as Path<T>, { type: 'server', message }, { shouldFocus: index === 0 })
  })
  return refused.length > 0 && refused.every(isAtField)
}
