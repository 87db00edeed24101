/** The values of the compose form, its errors, and whether anything was written. */
import { useState } from 'react'
import { INVALID_RECIPIENT, MAX_RECIPIENTS, NO_RECIPIENT } from '#contract/messages.ts'
import { MAX_SUBJECT } from './answer.ts'
import type { ComposeStart, FormValues } from './compose-start.ts'
import { isRecipient, splitRecipients, withoutRepeats } from './recipients/people.ts'
import type { ComposeErrors } from './trouble.ts'

/** Characters of an address that an error message shows. */
const MAX_NAMED = 60

export const recipientFields = ['to', 'cc', 'bcc'] as const
export type RecipientField = (typeof recipientFields)[number]

export type ComposeValues = FormValues

export const startValues = (start: ComposeStart): ComposeValues => {
  const { identity, localCopy, toCorrect = '', ...values } = start
  return {
    ...values,
    typed: { to: toCorrect, cc: '', bcc: '' },
    isQuoted: start.quotation !== '',
  }
}

/** Returns the values with the typed text of the recipient boxes as entries. */
export function withTypedEntries(values: ComposeValues): ComposeValues {
  const entries = (field: RecipientField) =>
    withoutRepeats([...values[field], ...splitRecipients(values.typed[field])])
  return {
    ...values,
    to: entries('to'),
    cc: entries('cc'),
    bcc: entries('bcc'),
    typed: { to: '', cc: '', bcc: '' },
  }
}

export function errorsIn(values: ComposeValues, isDraft: boolean): ComposeErrors {
  const errors: ComposeErrors = {}
  let count = 0
  for (const field of recipientFields) {
    count += values[field].length
    if (values[field].length > MAX_RECIPIENTS)
      errors[field] = `At most ${MAX_RECIPIENTS} recipients`
    values[field].forEach((entry, index) => {
      if (!isRecipient(entry)) errors[`${field}.${index}`] = INVALID_RECIPIENT
    })
  }
  if (count === 0 && !isDraft) errors.to = NO_RECIPIENT
  if (values.subject.length > MAX_SUBJECT) errors.subject = `At most ${MAX_SUBJECT} characters`
  return errors
}

/** The first error of a field, or of one of its entries with that entry. */
export function errorAt(
  errors: ComposeErrors,
  values: ComposeValues,
  field: RecipientField,
): string | undefined {
  if (errors[field]) return errors[field]
  const index = values[field].findIndex((_, at) => errors[`${field}.${at}`])
  if (index < 0) return undefined
  const entry = values[field][index] ?? ''
  const shortened = entry.length > MAX_NAMED ? `${entry.slice(0, MAX_NAMED)}…` : entry
  return `${errors[`${field}.${index}`]}: ${shortened}`
}

const serialised = ({
  from,
  to,
  cc,
  bcc,
  subject,
  body,
  typed,
  isQuoted,
  isPlain,
  ...rest
}: ComposeValues) => {
  const files = rest.attachments.map(({ key }) => key)
  return JSON.stringify([from, to, cc, bcc, subject, body, typed, isQuoted, isPlain, files])
}

export function useComposeFields(start: ComposeStart) {
  const [initial] = useState(() => startValues(start))
  const [values, setValues] = useState(start.localCopy?.values ?? initial)
  const [errors, setErrors] = useState<ComposeErrors>({})
  const change = (next: Partial<ComposeValues>) => {
    setValues((current) => ({ ...current, ...next }))
    // An error at the body may be about the length of the quotation.
    const changed = Object.keys('isQuoted' in next ? { ...next, body: '' } : next)
    setErrors((current) =>
      Object.fromEntries(
        Object.entries(current).filter(([field]) => !changed.includes(field.split('.')[0] ?? '')),
      ),
    )
  }
  return {
    values,
    errors,
    setErrors,
    change,
    isDirty: serialised(values) !== serialised(initial),
  }
}
