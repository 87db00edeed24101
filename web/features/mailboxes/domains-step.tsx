import { X } from 'lucide-react'
import { Controller, type FieldError } from 'react-hook-form'
import { MAX_GENERATED_PER_DOMAIN } from '#contract/fields.ts'
import { Button } from '#web/ui/form/button.tsx'
import { MultiCombobox } from '#web/ui/form/combobox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import type { GenerateForm } from './generate-values.ts'
import { namesFor } from './random-names.ts'
import { noDomainHint, useDomainChoices } from './use-domain-choices.tsx'

const counts = Array.from({ length: MAX_GENERATED_PER_DOMAIN }, (_, index) => ({
  value: String(index + 1),
  label: String(index + 1),
}))

export function DomainsStep({ form }: { form: GenerateForm }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
      <DomainsField form={form} />
      <CountField form={form} />
    </div>
  )
}

function DomainsField({ form }: { form: GenerateForm }) {
  const available = useDomainChoices()
  const { choices, isPending } = available
  return (
    <Controller
      name="domains"
      control={form.control}
      render={({ field, fieldState }) => {
        const isAll = field.value.length >= choices.length
        return (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
            <Field
              label="Domains"
              required
              error={messageIn(fieldState.error, field.value)}
              hint={noDomainHint(available)}
              aside={
                choices.length > 1 && (
                  <Button
                    variant="link"
                    size="inline"
                    onClick={() => field.onChange(isAll ? [] : choices.map(({ name }) => name))}
                  >
                    {isAll ? 'Select none' : `Select all ${choices.length}`}
                  </Button>
                )
              }
            >
              {(control) => (
                <MultiCombobox
                  {...control}
                  ref={field.ref}
                  label="Domains"
                  options={choices.map(({ name, unicodeName }) => ({
                    ...{ value: name, label: unicodeName, alias: name },
                  }))}
                  values={field.value}
                  onValuesChange={field.onChange}
                  onBlur={field.onBlur}
                  text={isPending ? 'Loading...' : textOf(field.value)}
                  emptyText="No domain is active yet."
                />
              )}
            </Field>
            <ChosenDomains
              chosen={field.value}
              nameOf={(name) => choices.find((choice) => choice.name === name)?.unicodeName ?? name}
              onRemove={(name) => field.onChange(field.value.filter((other) => other !== name))}
            />
          </div>
        )
      }}
    />
  )
}

/** Of the field, else of the first of its domains that is refused. */
function messageIn(error: FieldError | undefined, domains: readonly string[]): string | undefined {
  if (!Array.isArray(error)) return error?.message
  const at = error.findIndex((each: FieldError | undefined) => each?.message !== undefined)
  return at === -1 ? undefined : `${domains[at]}: ${error[at].message}`
}

function CountField({ form }: { form: GenerateForm }) {
  /** Keeps as many names as mailboxes: removes extra ones, and picks missing ones. */
  const chooseCount = (count: number) => {
    form.setValue('count', count, { shouldDirty: true, shouldValidate: true })
    const { nameType, names } = form.getValues()
    if (nameType === null) return
    const missing = namesFor(nameType, Math.max(0, count - names.length))
    form.setValue('names', [...names.slice(0, count), ...missing], { shouldValidate: true })
  }
  return (
    <Controller
      name="count"
      control={form.control}
      render={({ field, fieldState }) => (
        <Field
          label="Mailboxes per domain"
          required
          error={fieldState.error?.message}
          hint={`At most ${MAX_GENERATED_PER_DOMAIN} for each domain at once. From a list takes any number.`}
          aside={
            <span className="text-soft text-xs tabular-nums">Max{MAX_GENERATED_PER_DOMAIN}</span>
          }
        >
          {(control) => (
            <Select
              {...control}
              ref={field.ref}
              value={field.value === null ? '' : String(field.value)}
              onValueChange={(value) => chooseCount(Number(value))}
              onBlur={field.onBlur}
              options={counts}
              placeholder="Select a number"
            />
          )}
        </Field>
      )}
    />
  )
}

const textOf = (chosen: readonly string[]): string =>
  chosen.length > 0 ? `Selected: ${chosen.length}` : 'Select domains...'

const CHIPS_SHOWN = 12

type ChosenDomainsProps = {
  chosen: readonly string[]
  nameOf: (name: string) => string
  onRemove: (name: string) => void
}

function ChosenDomains({ chosen, nameOf, onRemove }: ChosenDomainsProps) {
  if (chosen.length === 0) return null
  return (
    <ul aria-label="Selected domains" className="flex flex-wrap gap-1.5">
      {chosen.slice(0, CHIPS_SHOWN).map((name) => (
        <li
          key={name}
          className="flex min-w-0 items-center gap-1 rounded-full bg-hover py-0.5 pr-1 pl-2.5 text-xs"
        >
          <span className="truncate">{nameOf(name)}</span>
          <button
            type="button"
            aria-label={`Remove ${nameOf(name)}`}
            onClick={() => onRemove(name)}
            className="grid size-6 place-items-center rounded-full text-soft hover:text-ink"
          >
            <X className="size-3" aria-hidden />
          </button>
        </li>
      ))}
      {chosen.length > CHIPS_SHOWN && (
        <li className="self-center text-soft text-xs">and {chosen.length - CHIPS_SHOWN} more</li>
      )}
    </ul>
  )
}
