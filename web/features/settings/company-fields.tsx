import { useMemo } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { firstTimeZones, timeFormats } from '#contract/fields.ts'
import type { companyForm } from '#contract/workspaces.ts'
import { countryOptions } from '#web/lib/countries.ts'
import { Combobox } from '#web/ui/form/combobox.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'
import type { SelectOption } from '#web/ui/form/select.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'

export type CompanyValues = z.input<typeof companyForm>
type CompanyFormState = UseFormReturn<CompanyValues>

export function CompanyFields({ form }: { form: CompanyFormState }) {
  return (
    <div className="grid gap-5 px-5 pb-6 sm:grid-cols-2">
      <TextField form={form} name="name" label="Name" autoComplete="organization" />
      <TextField
        form={form}
        name="website"
        label="Website"
        autoComplete="url"
        inputMode="url"
        placeholder="https://example.com"
        isOptional
      />
      <TextField form={form} name="phone" label="Phone" autoComplete="tel" inputMode="tel" />
      <TextField form={form} name="address" label="Address" autoComplete="street-address" />
      <TextField form={form} name="zipCode" label="Zip Code" autoComplete="postal-code" />
      <CountryField form={form} />
      <TextField form={form} name="city" label="City" autoComplete="address-level2" />
      <TimeZoneField form={form} />
      <SelectField
        control={form.control}
        name="timeFormat"
        label="Time Format"
        required
        options={timeFormatOptions}
        placeholder="Select a time format"
      />
      <TextField
        form={form}
        name="vatId"
        label="VAT ID"
        autoComplete="off"
        placeholder="DE123456789"
        isOptional
      />
    </div>
  )
}

const zoneLabels = {
  pst: 'PST (Pacific time)',
  est: 'EST (Eastern time)',
  gmt: 'GMT (Greenwich mean time)',
} as const
const formatLabels = { '12h': '12h (2:30 PM)', '24h': '24h (14:30)' } as const

/** Also offers `chosen` when this browser does not know it: the server may know newer time zones. */
export function timeZoneOptions(chosen: string): SelectOption[] {
  const first = firstTimeZones.map((value) => ({ value, label: zoneLabels[value] }))
  const known = Intl.supportedValuesOf('timeZone').map(zoneOption)
  const isOffered = [...first, ...known].some(({ value }) => value === chosen)
  return [...first, ...(chosen === '' || isOffered ? [] : [zoneOption(chosen)]), ...known]
}

const zoneOption = (value: string): SelectOption => ({ value, label: value.replaceAll('_', ' ') })

export const timeFormatOptions: readonly SelectOption[] = timeFormats.map((value) => ({
  value,
  label: formatLabels[value],
}))

type TextFieldProps = {
  form: CompanyFormState
  name: 'name' | 'website' | 'vatId' | 'phone' | 'address' | 'zipCode' | 'city'
  label: string
  autoComplete: string
  inputMode?: 'url' | 'tel'
  placeholder?: string
  isOptional?: boolean
}

function TextField({ form, name, label, isOptional = false, ...input }: TextFieldProps) {
  return (
    <Field
      label={label}
      required={!isOptional}
      error={form.formState.errors[name]?.message}
      aside={isOptional && <span className="text-soft text-xs">Optional</span>}
    >
      {(control) => <Input {...control} {...form.register(name)} {...input} />}
    </Field>
  )
}

function CountryField({ form }: { form: CompanyFormState }) {
  const options = useMemo(countryOptions, [])
  return (
    <Controller
      name="country"
      control={form.control}
      render={({ field, fieldState }) => (
        <Field label="Country" required error={fieldState.error?.message}>
          {(control) => (
            <Combobox
              {...control}
              ref={field.ref}
              label="Countries"
              placeholder="Select a country"
              options={options}
              value={field.value}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
            />
          )}
        </Field>
      )}
    />
  )
}

function TimeZoneField({ form }: { form: CompanyFormState }) {
  const saved = form.formState.defaultValues?.timeZone ?? ''
  const options = useMemo(() => timeZoneOptions(saved), [saved])
  return (
    <Controller
      name="timeZone"
      control={form.control}
      render={({ field, fieldState }) => (
        <Field label="Time Zone" required error={fieldState.error?.message}>
          {(control) => (
            <Combobox
              {...control}
              ref={field.ref}
              label="Time zones"
              placeholder="Select a time zone"
              options={options}
              value={field.value}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
            />
          )}
        </Field>
      )}
    />
  )
}
