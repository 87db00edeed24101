import { type Control, Controller, type FieldPath, type FieldValues } from 'react-hook-form'
import { Field, type FieldProps } from './field.tsx'
import { Select, type SelectOption } from './select.tsx'

type SelectFieldProps<T extends FieldValues> = Omit<FieldProps, 'error' | 'children'> & {
  control: Control<T>
  /** A field with a string value. */
  name: FieldPath<T>
  options: readonly SelectOption[]
  placeholder?: string
}

/** A select of a form, with its label, hint and error. */
export function SelectField<T extends FieldValues>({
  control,
  name,
  options,
  placeholder,
  ...label
}: SelectFieldProps<T>) {
  return (
    <Controller
      name={name}
      control={control}
      render={({ field, fieldState }) => (
        <Field {...label} error={fieldState.error?.message}>
          {(attributes) => (
            <Select
              {...attributes}
              ref={field.ref}
              value={field.value}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
              options={options}
              {...(placeholder && { placeholder })}
            />
          )}
        </Field>
      )}
    />
  )
}
