import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { cn } from '../cn.ts'
import { styleNonce } from '../style-nonce.ts'
import type { ControlProps } from './field.tsx'
import { inputStyle } from './input.tsx'

export type SelectOption = { value: string; label: string }

type SelectProps = Partial<ControlProps> & {
  value: string
  onValueChange: (value: string) => void
  onBlur?: () => void
  options: readonly SelectOption[]
  placeholder?: string
  disabled?: boolean
  'aria-label'?: string
  className?: string
}

/** One of a list. An option must not have an empty value: that means nothing is chosen. */
export function Select({
  value,
  onValueChange,
  onBlur,
  options,
  placeholder,
  disabled,
  className,
  ...control
}: SelectProps) {
  return (
    <Radix.Root
      value={value}
      onValueChange={onValueChange}
      {...(disabled === undefined ? {} : { disabled })}
    >
      <Radix.Trigger
        {...control}
        onBlur={onBlur}
        className={cn(
          inputStyle,
          'flex h-10 items-center justify-between gap-2 text-left data-placeholder:text-soft [&>span]:truncate',
          className,
        )}
      >
        <Radix.Value placeholder={placeholder} />
        <ChevronDown className="size-4 shrink-0 text-soft" aria-hidden />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={6}
          className="z-50 max-h-72 min-w-(--radix-select-trigger-width) animate-appear overflow-hidden rounded-xl border border-line bg-surface p-1 shadow-floating"
        >
          <Radix.Viewport nonce={styleNonce()}>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                data-value={option.value}
                className="relative flex cursor-default select-none items-center rounded-md py-1.5 pr-8 pl-2.5 text-sm outline-none data-disabled:opacity-50 data-highlighted:bg-hover"
              >
                <Radix.ItemText>{option.label}</Radix.ItemText>
                <Radix.ItemIndicator className="absolute right-2.5">
                  <Check className="size-4 text-accent-ink" aria-hidden />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
