import { Smile } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { cn } from '../cn.ts'
import { SearchInput } from '../form/search-input.tsx'
import { Popover } from '../overlay/popover.tsx'
import { Tool } from './editor-toolbar.tsx'
import { emojiFor } from './emoji-list.ts'

const COLUMNS = 8
/** Where each key leads, from one emoji to another. */
const STEPS: Record<string, number> = {
  ...{ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS },
}

type EmojiToolProps = { className: string; onPick: (sign: string) => void; focusText: () => void }

export function EmojiTool({ className, onPick, focusText }: EmojiToolProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover
      label="Emoji"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      focusAfter={focusText}
      trigger={<Tool isWithin label="Emoji" icon={Smile} className={className} />}
    >
      <EmojiPicker
        onPick={(sign) => {
          onPick(sign)
          setIsOpen(false)
        }}
      />
    </Popover>
  )
}

/** The box keeps the focus: arrows move among the emoji, Enter takes one. */
function EmojiPicker({ onPick }: { onPick: (sign: string) => void }) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const found = emojiFor(typed)
  const show = (next: number) => {
    setAt(next)
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
  }
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const next = at + (step ?? 0)
    if (event.nativeEvent.isComposing || (step === undefined && event.key !== 'Enter')) return
    event.preventDefault()
    event.stopPropagation()
    if (step === undefined) {
      const emoji = found[at]
      if (emoji) onPick(emoji.sign)
    } else if (next >= 0 && next < found.length) show(next)
  }
  const chosen = found[at]
  return (
    <div className="w-72 p-1.5">
      <SearchInput
        placeholder="Search emoji"
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={chosen && `${id}-${at}`}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          show(0)
        }}
        onKeyDown={press}
      />
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label="Emoji"
        tabIndex={-1}
        className="mt-1.5 grid max-h-52 grid-cols-8 overflow-y-auto"
      >
        {found.map(({ sign, name }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box takes the keys
          <div
            key={name}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            aria-label={name.replaceAll('_', ' ')}
            title={`:${name}:`}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(sign)}
            className={cn(
              'grid size-8 cursor-default place-items-center rounded-md text-lg hover:bg-hover',
              index === at && 'bg-accent-wash',
            )}
          >
            {sign}
          </div>
        ))}
      </div>
      <p role="status" className="truncate px-1.5 pt-1.5 text-soft text-xs">
        {chosen ? `:${chosen.name}:` : 'No emoji is called so.'}
      </p>
    </div>
  )
}
