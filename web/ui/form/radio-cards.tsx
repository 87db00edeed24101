import { RadioGroup } from 'radix-ui'
import type { ComponentType, ReactNode } from 'react'
import { cn } from '../cn.ts'

export type RadioCard<T extends string> = {
  value: T
  title: string
  description?: ReactNode
  icon?: ComponentType<{ className?: string }>
}

type RadioCardsProps<T extends string> = {
  'aria-label': string
  value: T | null
  onValueChange: (value: T) => void
  cards: readonly RadioCard<T>[]
  className?: string
}

/** A choice between a few options with a sentence each. */
export function RadioCards<T extends string>({
  value,
  onValueChange,
  cards,
  className,
  ...rest
}: RadioCardsProps<T>) {
  return (
    <RadioGroup.Root
      {...rest}
      value={value ?? ''}
      onValueChange={(chosen) => onValueChange(chosen as T)}
      className={cn('grid gap-3', className)}
    >
      {cards.map(({ value: cardValue, title, description, icon: Icon }) => (
        <RadioGroup.Item
          key={cardValue}
          value={cardValue}
          aria-label={title}
          className="group flex items-start gap-3 rounded-card border border-line bg-surface p-4 text-left transition-colors hover:bg-hover data-[state=checked]:border-accent-ink data-[state=checked]:bg-accent-wash"
        >
          {Icon && <Icon className="mt-0.5 size-5 shrink-0 text-soft" />}
          <span className="grid flex-1 gap-0.5">
            <span className="font-medium text-sm">{title}</span>
            {description && <span className="text-soft text-xs">{description}</span>}
          </span>
          <span className="mt-0.5 grid size-4 shrink-0 place-items-center rounded-full border border-control bg-surface group-data-[state=checked]:border-accent">
            <RadioGroup.Indicator className="size-2 rounded-full bg-accent" />
          </span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
