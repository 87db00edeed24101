import { useId } from 'react'
import type { KeyScope } from '#contract/developers/scopes.ts'
import { useHolder } from '#web/lib/api/use-can.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { FieldError } from '#web/ui/form/field.tsx'
import { holdersScopeGroups, type ScopeGroup, scopeGroups } from './scope-words.ts'

type ScopeChoiceProps = {
  value: readonly KeyScope[]
  onChange: (scopes: KeyScope[]) => void
  error?: string | undefined
}

/** What the key may do, by what it is about. Nothing is chosen at first. */
export function ScopeChoice({ value, onChange, error }: ScopeChoiceProps) {
  const id = useId()
  const groups = useHolder() === null ? scopeGroups : holdersScopeGroups
  const choose = (scope: KeyScope, isChosen: boolean) =>
    onChange(isChosen ? [...value, scope] : value.filter((each) => each !== scope))
  return (
    <fieldset className="grid gap-1.5" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 font-medium text-sm">What it may do</legend>
      <div className="grid gap-px overflow-hidden rounded-card border border-line bg-line">
        {groups.map((group) => (
          <Group key={group.title} group={group} value={value} onChoose={choose} />
        ))}
      </div>
      <FieldError id={`${id}-error`} message={error} />
    </fieldset>
  )
}

type GroupProps = {
  group: ScopeGroup
  value: readonly KeyScope[]
  onChoose: (scope: KeyScope, isChosen: boolean) => void
}

function Group({ group: { title, scopes }, value, onChoose }: GroupProps) {
  const id = useId()
  return (
    <div className="grid gap-x-4 gap-y-2 bg-surface px-4 py-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <p className="font-medium text-sm">{title}</p>
      <div className="grid gap-2">
        {scopes.map(({ scope, words }) => (
          <div key={scope} className="flex items-start gap-2.5">
            <Checkbox
              id={`${id}-${scope}`}
              checked={value.includes(scope)}
              onCheckedChange={(isChosen) => onChoose(scope, isChosen === true)}
              className="mt-0.5"
            />
            <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-sm">
              <label htmlFor={`${id}-${scope}`} className="min-w-0">
                {words}
              </label>
              <code className="text-soft text-xs">{scope}</code>
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}
