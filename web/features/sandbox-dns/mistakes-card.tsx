import { Undo2 } from 'lucide-react'
import {
  makeSandboxMistake,
  type SandboxMistake,
  type SandboxZone,
  undoSandboxMistake,
} from '#contract/dns/sandbox.ts'
import { purposeNames } from '#web/dns-records/record-text.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { cn } from '#web/ui/cn.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { useZoneChange } from './use-zone.ts'

/** Common DNS mistakes, each made by one click and undone by another. */
export function MistakesCard({ zone }: { zone: SandboxZone }) {
  const canManage = useCan('manage-domains')
  const make = useZoneChange(makeSandboxMistake, zone._id)
  const undo = useZoneChange(undoSandboxMistake, zone._id)
  const params = { id: zone._id }
  const made = zone.mistakes.filter(({ isMade }) => isMade)
  const press = ({ id, isMade }: SandboxMistake) =>
    isMade
      ? undo.mutate({ params: { ...params, mistake: id } })
      : make.mutate({ params, body: { mistake: id } })
  return (
    <Card>
      <CardHeader
        title="Make a mistake"
        description="Make a common mistake, and see what Mailstead says about it. Of two mistakes in the same record the later one counts."
      />
      <p
        role="status"
        className={cn(
          made.length > 0 && 'mx-5 mb-4 rounded-xl bg-warn-wash px-4 py-2.5 text-sm text-warn',
        )}
      >
        {made.length > 0 && `Made now: ${spokenMistakes(made)}.`}
      </p>
      <div className="grid gap-6 border-line border-t px-5 py-5">
        {groupsOf(zone.mistakes).map(({ name, mistakes }) => (
          <Group
            key={name}
            name={name}
            mistakes={mistakes}
            isDisabled={!canManage || make.isPending || undo.isPending}
            onPress={press}
          />
        ))}
      </div>
    </Card>
  )
}

/** In the order of the page. */
const mistakeGroups: Record<SandboxMistake['group'], string> = {
  ...purposeNames,
  zone: 'The whole zone',
  servers: 'Name servers',
}

/** Leaves out groups without mistakes. */
export const groupsOf = (mistakes: readonly SandboxMistake[]) =>
  Object.entries(mistakeGroups)
    .map(([group, name]) => ({ name, mistakes: mistakes.filter((each) => each.group === group) }))
    .filter((each) => each.mistakes.length > 0)

export const spokenMistakes = (mistakes: readonly Pick<SandboxMistake, 'group' | 'title'>[]) =>
  mistakes.map(({ group, title }) => `${mistakeGroups[group]}: ${title}`).join('; ')

type GroupProps = {
  name: string
  mistakes: readonly SandboxMistake[]
  isDisabled: boolean
  onPress: (mistake: SandboxMistake) => void
}

function Group({ name, mistakes, isDisabled, onPress }: GroupProps) {
  const id = `mistakes-${mistakes[0]?.group}`
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <h3 id={id} className="font-semibold text-sm">
        {name}
      </h3>
      <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
        {mistakes.map((mistake) => (
          <li
            key={mistake.id}
            className={cn(
              'flex items-start justify-between gap-3 rounded-xl border border-line px-4 py-3',
              mistake.isMade && 'border-transparent bg-warn-wash',
            )}
          >
            <div className="grid min-w-0 gap-0.5">
              <p className="font-medium text-sm">{mistake.title}</p>
              <p className="text-pretty text-soft text-xs">{mistake.text}</p>
            </div>
            <Button
              variant="secondary"
              size="small"
              // Not `disabled`: the button keeps the keyboard focus while it waits.
              aria-disabled={isDisabled}
              aria-label={`${mistake.isMade ? 'Undo' : 'Make'}: ${name}, ${mistake.title}`}
              onClick={() => !isDisabled && onPress(mistake)}
            >
              {mistake.isMade && <Undo2 aria-hidden />}
              {mistake.isMade ? 'Undo' : 'Make'}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
