/** To which domains and mailboxes a key is narrowed. */
import { useQuery } from '@tanstack/react-query'
import { listDomains } from '#contract/domains.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useMay } from '#web/lib/api/use-can.ts'
import { readAllMailboxes } from '#web/lib/read-all-mailboxes.ts'
import { MultiCombobox } from '#web/ui/form/combobox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { RadioCards } from '#web/ui/form/radio-cards.tsx'

export type Reach = { isNarrowed: boolean; domains: string[]; mailboxes: string[] }

const cards = [
  { value: 'all', title: 'The whole workspace', description: 'Also what is added later' },
  { value: 'some', title: 'Some of it', description: 'Domains or mailboxes that you choose' },
] as const

type ReachChoiceProps = {
  value: Reach
  onChange: (reach: Reach) => void
  error?: string | undefined
}

export function ReachChoice({ value, onChange, error }: ReachChoiceProps) {
  return (
    <div className="grid gap-3">
      <div className="grid gap-1.5">
        <p className="font-medium text-sm">What it reaches</p>
        <RadioCards
          aria-label="What it reaches"
          value={value.isNarrowed ? 'some' : 'all'}
          onValueChange={(chosen) => onChange({ ...value, isNarrowed: chosen === 'some' })}
          cards={cards}
          className="sm:grid-cols-2"
        />
      </div>
      {value.isNarrowed && <Narrowing value={value} onChange={onChange} error={error} />}
    </div>
  )
}

function Narrowing({ value, onChange, error }: ReachChoiceProps) {
  const seesDomains = useMay('see-domains')
  const domains = useApi(listDomains, {}, { enabled: seesDomains })
  const mailboxes = useQuery({
    queryKey: ['mailboxes of a key'],
    queryFn: ({ signal }) => readAllMailboxes({}, { signal }),
  })
  const domainOptions = (domains.data ?? []).map(({ _id, name, unicodeName }) => ({
    ...{ value: _id, label: unicodeName, alias: name },
  }))
  const mailboxOptions = (mailboxes.data ?? []).map(({ _id, email }) => ({
    ...{ value: _id, label: email },
  }))
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {seesDomains && (
        <Field label="Domains" error={error} hint="With all their mailboxes">
          {(control) => (
            <MultiCombobox
              {...control}
              label="Domains"
              options={domainOptions}
              values={value.domains}
              onValuesChange={(chosen) => onChange({ ...value, domains: chosen })}
              text={
                domains.isPending ? 'Loading...' : textOf(value.domains, domainOptions, 'domains')
              }
              emptyText="There is no domain yet."
            />
          )}
        </Field>
      )}
      <Field label="Mailboxes" {...(!seesDomains && { error })}>
        {(control) => (
          <MultiCombobox
            {...control}
            label="Mailboxes"
            options={mailboxOptions}
            values={value.mailboxes}
            onValuesChange={(chosen) => onChange({ ...value, mailboxes: chosen })}
            text={
              mailboxes.isPending
                ? 'Loading...'
                : textOf(value.mailboxes, mailboxOptions, 'mailboxes')
            }
            emptyText="There is no mailbox yet."
          />
        )}
      </Field>
    </div>
  )
}

type Option = { value: string; label: string }

/** One by its name; one that has gone since is counted. */
const textOf = (
  chosen: readonly string[],
  options: readonly Option[],
  many: 'domains' | 'mailboxes',
): string => {
  const [first] = chosen
  if (first === undefined) return `Choose ${many}`
  if (chosen.length > 1) return `${chosen.length} ${many}`
  const known = options.find(({ value }) => value === first)
  return known?.label ?? (many === 'domains' ? '1 domain' : '1 mailbox')
}
