import { Check } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { type Ref, useState } from 'react'
import { styleNonce } from '../style-nonce.ts'
import type { ControlProps } from './field.tsx'
import { ListButton } from './list-button.tsx'

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
  /** The button: takes the focus when the value is refused. */
  ref?: Ref<HTMLButtonElement>
}

/** Selects one of a short list. An option must not have an empty value: that means no selection. */
export function Select({
  value,
  onValueChange,
  onBlur,
  options,
  placeholder,
  disabled = false,
  className,
  ref,
  ...control
}: SelectProps) {
  const [isOpen, setIsOpen] = useState(false)
  const chosen = options.find((option) => option.value === value)
  const name = control['aria-label']
    ? { 'aria-label': control['aria-label'] }
    : { 'aria-labelledby': `${control.id}-label` }
  return (
    // Radix.Root would put a hidden <select> beside it, which forms here do not read (decision 052).
    <Radix.unstable_Provider
      value={value}
      onValueChange={onValueChange}
      open={isOpen}
      onOpenChange={(next) => {
        setIsOpen(next)
        if (!next) onBlur?.()
      }}
      disabled={disabled}
    >
      <Radix.Trigger asChild>
        <ListButton ref={ref} {...control} isEmpty={!chosen} className={className}>
          {chosen?.label ?? placeholder}
        </ListButton>
      </Radix.Trigger>
      {/* The options of a closed list are not made: letters typed at its button change nothing. */}
      {isOpen && <Options {...name} options={options} value={value} />}
    </Radix.unstable_Provider>
  )
}

type OptionsProps = Pick<SelectProps, 'options' | 'value'> & {
  'aria-label'?: string
  'aria-labelledby'?: string
}

function Options({ options, value, ...name }: OptionsProps) {
  return (
    <Radix.Portal>
      <Radix.Content
        {...name}
        position="popper"
        sideOffset={6}
        collisionPadding={8}
        className="z-50 max-h-[min(18rem,var(--radix-select-content-available-height))] max-md:max-h-[min(19.5rem,var(--radix-select-content-available-height))] min-w-(--radix-select-trigger-width) max-w-(--radix-select-content-available-width) animate-appear rounded-xl border border-line bg-surface p-1 shadow-floating"
      >
        {/* Radix hides the scroll bar, which says that there is more. */}
        <Radix.Viewport nonce={styleNonce()} className="scrollbar-auto!">
          {options.map((option) => (
            <Radix.Item
              key={option.value}
              value={option.value}
              textValue={option.label}
              data-value={option.value}
              aria-selected={option.value === value}
              className="flex cursor-default select-none items-center justify-between gap-2.5 rounded-md px-2.5 py-1.5 text-sm outline-none data-highlighted:bg-hover max-md:min-h-11"
            >
              <span className="truncate">
                <Radix.ItemText>{option.label}</Radix.ItemText>
              </span>
              <Radix.ItemIndicator asChild>
                <Check className="size-4 shrink-0 text-accent-ink" />
              </Radix.ItemIndicator>
            </Radix.Item>
          ))}
        </Radix.Viewport>
      </Radix.Content>
    </Radix.Portal>
  )
}
