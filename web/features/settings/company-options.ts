/** What the lists of the company form offer: the specification's options, then all there are. */
import { firstCountries, firstTimeZones, isoCountries, timeFormats } from '#contract/fields.ts'
import type { SelectOption } from '#web/ui/form/select.tsx'

const countryLabels = { usa: 'USA', canada: 'Canada', uk: 'UK' } as const
const zoneLabels = {
  pst: 'PST (Pacific time)',
  est: 'EST (Eastern time)',
  gmt: 'GMT (Greenwich mean time)',
} as const
const formatLabels = { '12h': '12h (2:30 PM)', '24h': '24h (14:30)' } as const

const byLabel = (a: SelectOption, b: SelectOption) => a.label.localeCompare(b.label, 'en')

export function countryOptions(): SelectOption[] {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  return [
    ...firstCountries.map((value) => ({ value, label: countryLabels[value] })),
    ...isoCountries.map((value) => ({ value, label: names.of(value) ?? value })).sort(byLabel),
  ]
}

/** `chosen` is offered too where this browser does not know it: the server may know newer zones. */
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
