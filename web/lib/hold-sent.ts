import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'

type Form<T extends FieldValues> = Pick<UseFormReturn<T>, 'getValues' | 'setValue' | 'reset'>

/**
 * Call it when a form is submitted. The returned function resets the form to the saved values; fields changed since the
 * submission keep their new values and stay dirty.
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
