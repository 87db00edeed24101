/** What the audit log is narrowed to; it stands in the URL. */

import { useId } from 'react'
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
/** Of the width of a phone. */
const half = 'w-[calc(50%-0.25rem)]'

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
  const id = useId()
  // Who has left is still in the log, and may be in the URL.
  const isKnown =
    ['', BY_SYSTEM, BY_OPERATOR].includes(who) || members.some(({ email }) => email === who)
  const names = new Map<string, number>()
  for (const { name } of members) names.set(name, (names.get(name) ?? 0) + 1)
  const people = members.map(({ email, name }) => ({
    value: email,
    label: name === '' ? email : names.get(name) === 1 ? name : `${name} (${email})`,
  }))
  return (
    <>
      <div className={`${half} sm:w-40`}>
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
      <div className={`${half} sm:w-44`}>
        <Select
          aria-label="Who"
          value={who === '' ? ALL : who}
          onValueChange={(next) => setFilters({ who: next === ALL ? '' : next })}
          options={[
            { value: ALL, label: 'Everybody' },
            { value: BY_SYSTEM, label: 'The system' },
            { value: BY_OPERATOR, label: 'The operator' },
            ...people,
            ...(isKnown ? [] : [{ value: who, label: who }]),
          ]}
        />
      </div>
      {(['from', 'until'] as const).map((side) => (
        <div key={side} className={`${half} sm:flex sm:w-auto sm:items-center`}>
          <label htmlFor={`${id}-${side}`} className="text-soft text-sm sm:pr-2">
            {side === 'from' ? 'From' : 'Until'}
          </label>
          <Input
            id={`${id}-${side}`}
            type="date"
            className="sm:w-40"
            value={DAY.test(filters[side]) ? filters[side] : ''}
            onChange={({ target }) => setFilters({ [side]: target.value })}
          />
        </div>
      ))}
    </>
  )
}
