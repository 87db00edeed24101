import type { Mailbox } from '#contract/mailboxes.ts'

/** The names of the person, for those who cannot change them: text, and nothing that looks like a field. */
export function FixedNames({ mailbox: { firstName, lastName } }: { mailbox: Mailbox }) {
  return (
    <Facts
      facts={[
        ['First name', firstName],
        ['Last name', lastName],
      ]}
    />
  )
}

export function Facts({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl className="grid gap-4 sm:grid-cols-2">
      {facts.map(([name, value]) => (
        <div key={name} className="grid gap-1">
          <dt className="font-medium text-sm">{name}</dt>
          <dd dir="auto" className="wrap-anywhere text-left text-sm text-soft">
            {value || '–'}
          </dd>
        </div>
      ))}
    </dl>
  )
}
