/** The fields of what a person prefers. */
import { useMemo } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import type { Preferences, preferencesForm } from '#contract/profile.ts'
import { useRole } from '#web/lib/api/use-can.ts'
import { browserFormats } from '#web/lib/format.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Combobox } from '#web/ui/form/combobox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import type { SelectOption } from '#web/ui/form/select.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { useInBrowser } from '#web/ui/use-in-browser.ts'

/** A list has no empty value, so this stands for "as the company, or the browser". */
export const BY_DEFAULT = 'default'

type Form = z.output<typeof preferencesForm>
export type PreferenceValues = Record<'timeZone' | 'timeFormat' | 'dateFormat', string> &
  Pick<Form, 'wantsDnsMails'>

type FieldsProps = { form: UseFormReturn<PreferenceValues>; company: Preferences['company'] }

export function PreferencesFields({ form, company }: FieldsProps) {
  const here = useHere()
  const isAdmin = useRole() === 'Admin'
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TimeZoneField form={form} company={company} />
      <SelectField
        control={form.control}
        name="timeFormat"
        label="Time format"
        options={[
          company.timeFormat === ''
            ? byDefault(`As this browser${here && ` (${timeExamples[here.hours]})`}`)
            : byDefault(`As the company (${company.timeFormat})`),
          ...Object.entries(timeExamples).map(([value, example]) => ({
            value,
            label: `${value} (${example})`,
          })),
        ]}
      />
      <SelectField
        control={form.control}
        name="dateFormat"
        label="Date format"
        options={[
          byDefault(`As this browser${here && ` (${dateExamples[here.order]})`}`),
          ...Object.entries(dateExamples).map(([value, label]) => ({ value, label })),
        ]}
      />
      {isAdmin && <DnsMails form={form} />}
    </div>
  )
}

/** What this browser is set to; '' while the server draws, which does not know. */
function useHere(): ReturnType<typeof browserFormats> | '' {
  const isInBrowser = useInBrowser(() => true, false)
  return useMemo(() => (isInBrowser ? browserFormats() : ''), [isInBrowser])
}

const byDefault = (label: string): SelectOption => ({ value: BY_DEFAULT, label })

const timeExamples = { '12h': '2:30 PM', '24h': '14:30' } as const
const dateExamples = {
  'month-first': 'Nov 23, 2026',
  'day-first': '23 Nov 2026',
  'year-first': '2026-11-23',
} as const

const words = (timeZone: string): string => timeZone.replaceAll('_', ' ')

const zoneOptions = (chosen: string, company: string, here: string): SelectOption[] => {
  const first = company === '' ? `As this browser${here}` : `As the company (${words(company)})`
  const known = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
  // The server may know newer time zones than this browser.
  const all = chosen === BY_DEFAULT || known.includes(chosen) ? known : [chosen, ...known]
  return [byDefault(first), ...all.map((value) => ({ value, label: words(value) }))]
}

function TimeZoneField({ form, company }: FieldsProps) {
  const saved = form.formState.defaultValues?.timeZone ?? BY_DEFAULT
  const here = useHere() && ` (${words(Intl.DateTimeFormat().resolvedOptions().timeZone)})`
  const options = useMemo(
    () => zoneOptions(saved, company.timeZone, here),
    [saved, company.timeZone, here],
  )
  return (
    <Controller
      name="timeZone"
      control={form.control}
      render={({ field, fieldState }) => (
        <Field label="Time zone" error={fieldState.error?.message}>
          {(control) => (
            <Combobox
              {...control}
              ref={field.ref}
              label="Time zones"
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

function DnsMails({ form }: { form: UseFormReturn<PreferenceValues> }) {
  return (
    <Controller
      name="wantsDnsMails"
      control={form.control}
      render={({ field }) => (
        <div className="flex items-start gap-2.5 sm:col-span-2">
          <Checkbox
            id="wants-dns-mails"
            className="mt-0.5"
            ref={field.ref}
            checked={field.value}
            onBlur={field.onBlur}
            onCheckedChange={(checked) => field.onChange(checked === true)}
          />
          <label htmlFor="wants-dns-mails" className="text-sm">
            Mail me when DNS records of our domains fail, and when they are right again
          </label>
        </div>
      )}
    />
  )
}
