import { Check, ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from 'react'
import { cn } from '../cn.ts'
import { Popover } from '../overlay/popover.tsx'
import { type ControlProps, inputStyle } from './field.tsx'

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
  /** Of the button: takes the focus when the value is refused. */
  ref?: Ref<HTMLButtonElement>
}

/** One of a short list. An option must not have an empty value: that means nothing is chosen. */
export function Select({
  value,
  onValueChange,
  onBlur,
  options,
  placeholder,
  disabled,
  className,
  ref,
  ...control
}: SelectProps) {
  const [isOpen, setIsOpen] = useState(false)
  const name = control['aria-label']
    ? { label: control['aria-label'] }
    : { labelledBy: `${control.id}-label` }
  const chosen = options.find((option) => option.value === value)
  const close = () => {
    setIsOpen(false)
    onBlur?.()
  }
  return (
    <Popover
      isModal
      {...name}
      isOpen={isOpen}
      onOpenChange={(next) => (next ? setIsOpen(true) : close())}
      className="max-w-(--radix-popover-content-available-width)"
      trigger={
        <button
          type="button"
          ref={ref}
          {...control}
          role="combobox"
          aria-haspopup="listbox"
          aria-expanded={isOpen}
          disabled={disabled}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
            event.preventDefault()
            setIsOpen(true)
          }}
          className={cn(
            inputStyle,
            'flex h-10 max-md:h-11 items-center justify-between gap-2 text-left',
            className,
          )}
        >
          <span className={cn('truncate', !chosen && 'text-soft')}>
            {chosen?.label ?? placeholder}
          </span>
          <ChevronDown className="size-4 shrink-0 text-soft" aria-hidden />
        </button>
      }
    >
      <Options
        {...name}
        options={options}
        value={value}
        onChoose={(next) => {
          onValueChange(next)
          close()
        }}
      />
    </Popover>
  )
}

/** Letters typed within this time belong together. */
const TYPING_MS = 700

type OptionsProps = Pick<SelectProps, 'options' | 'value'> & {
  label?: string
  labelledBy?: string
  onChoose: (value: string) => void
}

/** The list has the focus; arrows and first letters walk it. */
function Options({ options, value, label, labelledBy, onChoose }: OptionsProps) {
  const id = useId()
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      options.findIndex((each) => each.value === value),
    ),
  )
  const list = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY })
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const find = ({ key, timeStamp }: KeyboardEvent): number => {
    const isGoingOn = timeStamp - typed.current.at < TYPING_MS
    const text = (isGoingOn ? typed.current.text : '') + key.toLowerCase()
    typed.current = { text, at: timeStamp }
    return options.findIndex((option) => option.label.toLowerCase().startsWith(text))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isLetter = event.key.length === 1 && event.key !== ' '
    const to = {
      ...{ ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: options.length - 1 },
      ...(isLetter && !event.ctrlKey && !event.metaKey ? { [event.key]: find(event) } : {}),
    }[event.key]
    const option = options[active]
    if (to !== undefined)
      setActive(to < 0 && isLetter ? active : Math.max(0, Math.min(options.length - 1, to)))
    else if ((event.key === 'Enter' || event.key === ' ') && option) onChoose(option.value)
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={list}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-activedescendant={options.length > 0 ? `${id}-${active}` : undefined}
      onKeyDown={onKeyDown}
      className="max-h-70 overflow-y-auto rounded-lg outline-none"
    >
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are taken by the list
        // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant points here, the list has the focus
        <div
          key={option.value}
          id={`${id}-${index}`}
          role="option"
          data-value={option.value}
          aria-selected={option.value === value}
          onPointerMove={() => setActive(index)}
          onClick={() => onChoose(option.value)}
          className={cn(
            'flex cursor-default select-none items-center justify-between gap-2.5 rounded-md px-2.5 py-1.5 text-sm max-md:min-h-11',
            index === active && 'bg-hover',
          )}
        >
          <span className="truncate">{option.label}</span>
          {option.value === value && (
            <Check className="size-4 shrink-0 text-accent-ink" aria-hidden />
          )}
        </div>
      ))}
    </div>
  )
}
