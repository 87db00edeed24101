import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'

type Form<T extends FieldValues> = Pick<UseFormReturn<T>, 'getValues' | 'setValue' | 'reset'>

/**
 * To be called when a form is sent. What it answers makes the form as it was saved; what somebody has typed since stays, and
 * is still to be saved.
 */
export function holdSent<T extends FieldValues>(form: Form<T>): (saved?: T) => void {
  const sent = structuredClone(form.getValues())
  return (saved = sent) => {
    const now = Object.entries(structuredClone(form.getValues()))
    form.reset(saved)
    for (const [field, value] of now)
      if (JSON.stringify(value) !== JSON.stringify(sent[field]))
        form.setValue(field as Path<T>, value, { shouldDirty: true, shouldTouch: true })
  }
}
