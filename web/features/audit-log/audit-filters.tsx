/** What the audit log is narrowed to; it stands in the URL. */

import {
  type AuditTopic,
  auditTopic,
  BY_OPERATOR,
  BY_SYSTEM,
} from '#contract/workspace/audit-log.ts'
import { listMembers } from '#contract/workspaces.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { Input } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'

export const DAY = /^\d{4}-\d{2}-\d{2}$/

type Filters = Record<'who' | 'topic' | 'from' | 'until', string>
type AuditFiltersProps = { filters: Filters; setFilters: (changes: Partial<Filters>) => void }

const ALL = 'all'

const topics: Record<AuditTopic, string> = {
  members: 'Members',
  domains: 'Domains',
  mailboxes: 'Mailboxes',
  access: 'Access to mail',
  keys: 'Keys',
  money: 'Money',
  settings: 'Settings',
}

export function AuditFilters({ filters, setFilters }: AuditFiltersProps) {
  const { data: members = [] } = useApi(listMembers, {})
  const { who } = filters
  // Who has left is still in the log, and may be in the URL.
  const isKnown =
    ['', BY_SYSTEM, BY_OPERATOR].includes(who) || members.some(({ email }) => email === who)
  const people = [...members.map(({ email, name }) => ({ value: email, label: name || email }))]
  return (
    <>
      <div className="w-40">
        <Select
          aria-label="Topic"
          value={topics[filters.topic as AuditTopic] === undefined ? ALL : filters.topic}
          onValueChange={(next) => setFilters({ topic: next === ALL ? '' : next })}
          options={[
            { value: ALL, label: 'All topics' },
            ...auditTopic.options.map((each) => ({ value: each, label: topics[each] })),
          ]}
        />
      </div>
      <div className="w-44">
        <Select
          aria-label="Who"
          value={who === '' ? ALL : who}
          onValueChange={(next) => setFilters({ who: next === ALL ? '' : next })}
          options={[
            { value: ALL, label: 'Everybody' },
            ...people,
            { value: BY_SYSTEM, label: 'The system' },
            { value: BY_OPERATOR, label: 'The operator' },
            ...(isKnown ? [] : [{ value: who, label: who }]),
          ]}
        />
      </div>
      {(['from', 'until'] as const).map((side) => (
        <div key={side} className="w-40">
          <Input
            type="date"
            aria-label={side === 'from' ? 'First day' : 'Last day'}
            value={DAY.test(filters[side]) ? filters[side] : ''}
            onChange={({ target }) => setFilters({ [side]: target.value })}
          />
        </div>
      ))}
    </>
  )
}
