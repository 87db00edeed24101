import { type KeyboardEvent, type Ref, useState } from 'react'
import { Popover } from '../overlay/popover.tsx'
import type { ControlProps } from './field.tsx'
import { ListButton } from './list-button.tsx'
import { SearchList, type SearchOption } from './search-list.tsx'

type ListProps = Partial<ControlProps> & {
  options: readonly SearchOption[]
  /** Name of the options for screen readers: 'Countries'. */
  label: string
  onBlur?: () => void
  disabled?: boolean
  /** The button: takes the focus when the value is refused. */
  ref?: Ref<HTMLButtonElement>
}

type ComboboxProps = ListProps & {
  value: string
  onValueChange: (value: string) => void
  placeholder?: string
  /** Called with the typed text, when there are too many options to load all. */
  onSearch?: (typed: string) => void
}

/** Selects one of a long list by typing a part of its name. An option must not have an empty value. */
export function Combobox(props: ComboboxProps) {
  const { value, onValueChange, onBlur, options, label, placeholder, onSearch, ...button } = props
  const [isOpen, setIsOpen] = useState(false)
  const chosen = options.find((option) => option.value === value)
  const close = () => {
    setIsOpen(false)
    onSearch?.('')
    onBlur?.()
  }
  return (
    <Popover
      isModal
      label={label}
      isOpen={isOpen}
      onOpenChange={(next) => (next ? setIsOpen(true) : close())}
      className="w-(--radix-popover-trigger-width)"
      trigger={
        <ListButton
          {...button}
          role="combobox"
          aria-haspopup="listbox"
          aria-expanded={isOpen}
          onKeyDown={openedByArrows(setIsOpen)}
          isEmpty={!chosen}
        >
          {chosen?.label ?? placeholder}
        </ListButton>
      }
    >
      <SearchList
        options={options}
        chosen={[value]}
        label={label}
        onSearch={onSearch}
        onChoose={(next) => {
          onValueChange(next)
          close()
        }}
        // On a phone so high that half an option says that there are more.
        className="max-h-60 max-md:max-h-[min(19rem,calc(var(--radix-popover-content-available-height)-4rem))]"
      />
    </Popover>
  )
}

type MultiComboboxProps = ListProps & {
  values: readonly string[]
  onValuesChange: (values: string[]) => void
  /** The text of the button; the selection is shown elsewhere. */
  text: string
  emptyText: string
}

/** Several of a list, found in the same way; closed by a click beside it. */
export function MultiCombobox(props: MultiComboboxProps) {
  const { values, onValuesChange, onBlur, options, label, text, emptyText, ...button } = props
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover
      isModal
      label={label}
      isOpen={isOpen}
      onOpenChange={(next) => {
        setIsOpen(next)
        if (!next) onBlur?.()
      }}
      trigger={
        <ListButton
          {...button}
          aria-haspopup="listbox"
          onKeyDown={openedByArrows(setIsOpen)}
          isEmpty={values.length === 0}
        >
          {text}
        </ListButton>
      }
    >
      <SearchList
        isMultiple
        options={options}
        chosen={values}
        label={label}
        emptyText={emptyText}
        onChoose={(value) =>
          onValuesChange(
            values.includes(value) ? values.filter((other) => other !== value) : [...values, value],
          )
        }
        className="max-h-[243px]"
      />
    </Popover>
  )
}

const openedByArrows = (setIsOpen: (isOpen: boolean) => void) => (event: KeyboardEvent) => {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  setIsOpen(true)
}
