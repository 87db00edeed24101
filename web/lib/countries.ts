import { firstCountries, isoCountries } from '#contract/fields.ts'

type Country = { value: string; label: string }

const firstLabels = { usa: 'USA', canada: 'Canada', uk: 'UK' } as const

const byLabel = (a: Country, b: Country) => a.label.localeCompare(b.label, 'en')

/** Options of the company form: first those of the specification, then all others. */
export function countryOptions(): Country[] {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  return [
    ...firstCountries.map((value) => ({ value, label: firstLabels[value] })),
    ...isoCountries.map((value) => ({ value, label: names.of(value) ?? value })).sort(byLabel),
  ]
}
