/** Shows validation errors of the server at the fields of a form. */
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { ApiError, messageOf } from './api/api-error.ts'
import { toastError } from './toast-store.ts'

/**
 * Returns true when every message was shown at a field: then the caller shows nothing else.
 * Returns false when the form lacks a field. The values stay.
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

/** Where it belongs: at the fields, or in a toast. */
export function showRefusal<T extends FieldValues>(
  form: Pick<UseFormReturn<T>, 'getValues' | 'setError'>,
  error: unknown,
): void {
  if (!showFieldErrors(form, error)) toastError(messageOf(error))
}
