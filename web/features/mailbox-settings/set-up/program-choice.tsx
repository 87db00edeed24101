import { RadioGroup } from 'radix-ui'
import { Field } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { useMediaQuery } from '#web/ui/use-media-query.ts'
import { isProgram, type ProgramId, programIds, programs } from './programs.ts'

type ProgramChoiceProps = { value: ProgramId; onChange: (id: ProgramId) => void }

const options = programIds.map((value) => ({ value, label: programs[value].title }))

/** All programs at once where there is room, and a list on a phone. */
export function ProgramChoice({ value, onChange }: ProgramChoiceProps) {
  const isNarrow = useMediaQuery('(max-width: 639px)')
  if (isNarrow)
    return (
      <Field label="Your program">
        {(control) => (
          <Select
            {...control}
            value={value}
            options={options}
            onValueChange={(id) => isProgram(id) && onChange(id)}
          />
        )}
      </Field>
    )
  return (
    <RadioGroup.Root
      aria-label="Your program"
      value={value}
      onValueChange={(id) => isProgram(id) && onChange(id)}
      // The server draws it for phones, too, where the list comes once the script runs.
      className="flex flex-wrap gap-2 max-sm:invisible max-sm:h-16 max-sm:overflow-hidden"
    >
      {options.map(({ value: id, label }) => (
        <RadioGroup.Item
          key={id}
          value={id}
          className="min-h-10 rounded-full border border-line bg-surface px-4 font-medium text-sm text-soft transition-colors hover:bg-hover hover:text-ink data-[state=checked]:border-accent-ink data-[state=checked]:bg-accent-wash data-[state=checked]:text-ink"
        >
          {label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
