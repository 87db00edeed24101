import { Shuffle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Controller } from 'react-hook-form'
import { localPartFor } from '#contract/mailboxes.ts'
import { formatCount } from '#web/lib/format.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, FieldError, Input } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import type { GenerateForm, GenerateValues } from './generate-values.ts'
import { NAME_TYPES, type NameType, namesFor, PICKING_MS } from './random-names.ts'

type StepProps = { form: GenerateForm }

export function NamesStep({ form }: StepProps) {
  const [nameType, names] = form.watch(['nameType', 'names'])
  // A user who went back while names were being picked finds them picked again.
  const [picking, setPicking] = useState<NameType | null>(names.length === 0 ? nameType : null)
  const count = form.watch('count') ?? 1
  const { errors } = form.formState
  useEffect(() => {
    if (picking === null) return
    const timer = setTimeout(() => {
      form.setValue('names', namesFor(picking, count), { shouldDirty: true, shouldValidate: true })
      // The step may show an error because 'Next' was pressed before the names were picked.
      form.clearErrors('names')
      setPicking(null)
    }, PICKING_MS)
    return () => clearTimeout(timer)
  }, [picking, count, form])
  const choose = (type: NameType) => {
    form.setValue('nameType', type, { shouldDirty: true, shouldValidate: true })
    form.setValue('names', type === 'predefined' ? namesFor(type, count) : [])
    form.clearErrors('names')
    setPicking(type === 'predefined' ? null : type)
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
      <NameTypeField form={form} isPicking={picking !== null} onChoose={choose} />
      {picking === null ? (
        nameType !== null && <NameInputs form={form} names={names} />
      ) : (
        <PickingNames count={count} />
      )}
      <FieldError message={nameType === null ? undefined : errors.names?.message} />
      {nameType !== null && <Preview form={form} />}
    </div>
  )
}

type NameTypeFieldProps = StepProps & {
  isPicking: boolean
  onChoose: (type: NameType) => void
}

function NameTypeField({ form, isPicking, onChoose }: NameTypeFieldProps) {
  const nameType = form.watch('nameType')
  return (
    <Controller
      name="nameType"
      control={form.control}
      render={({ field, fieldState }) => (
        <Field
          label="Name type"
          required
          error={fieldState.error?.message}
          hint={nameType !== null && 'First and last names have at least 5 characters each.'}
        >
          {(control) => (
            <div className="flex min-w-0 gap-2">
              <Select
                {...control}
                ref={field.ref}
                value={field.value ?? ''}
                onValueChange={(value) => onChoose(value as NameType)}
                onBlur={field.onBlur}
                options={NAME_TYPES}
                placeholder="Select names"
              />
              {nameType !== null && nameType !== 'predefined' && (
                <Button
                  variant="secondary"
                  size="large"
                  disabled={isPicking}
                  onClick={() => onChoose(nameType)}
                >
                  <Shuffle aria-hidden />
                  <span className="max-sm:sr-only">Shuffle</span>
                </Button>
              )}
            </div>
          )}
        </Field>
      )}
    />
  )
}

function NameInputs({ form, names }: StepProps & { names: GenerateValues['names'] }) {
  const { errors } = form.formState
  return (
    <ol className="grid gap-3">
      {names.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
        <li key={index} className="grid gap-3 sm:grid-cols-2">
          {(['firstName', 'lastName'] as const).map((part) => (
            <Field
              key={part}
              label={`${part === 'firstName' ? 'First name' : 'Last name'} ${index + 1}`}
              required
              error={errors.names?.[index]?.[part]?.message}
            >
              {(control) => (
                <Input
                  {...control}
                  {...form.register(`names.${index}.${part}`)}
                  autoComplete="off"
                />
              )}
            </Field>
          ))}
        </li>
      ))}
    </ol>
  )
}

function PickingNames({ count }: { count: number }) {
  return (
    <div className="grid gap-3">
      <p role="status" className="sr-only">
        Picking names...
      </p>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing else
        <div key={index} className="grid gap-3 sm:grid-cols-2">
          <Skeleton className="mt-6.5 h-10" />
          <Skeleton className="h-10 sm:mt-6.5" />
        </div>
      ))}
    </div>
  )
}

const EXAMPLES = 2

/** Shows the addresses that will be created. */
function Preview({ form }: StepProps) {
  const { domains, names } = form.watch()
  const domain = domains[0] ?? ''
  const locals = names.map((name) => localPartFor(name.firstName, name.lastName)).filter(Boolean)
  const total = domains.length * names.length
  const rest = total - Math.min(EXAMPLES, locals.length)
  if (locals.length === 0) return null
  return (
    <p className="break-words rounded-xl bg-sunken px-3.5 py-3 text-soft text-xs">
      {locals.slice(0, EXAMPLES).map((local) => (
        <span key={local} className="block font-medium text-ink">
          {local}@{domain}
        </span>
      ))}
      {rest > 0 && `and ${formatCount(rest)} more. `}An address that is taken gets a number.
    </p>
  )
}
