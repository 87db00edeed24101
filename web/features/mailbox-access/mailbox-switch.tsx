import { Check, ChevronsUpDown } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { Mailbox } from '#contract/mailboxes.ts'
import { Avatar } from '#web/ui/data/avatar.tsx'
import { SearchInput } from '#web/ui/form/search-input.tsx'
import { Popover } from '#web/ui/overlay/popover.tsx'

const SHOWN = 100
const SEARCH_FROM = 8

type MailboxSwitchProps = {
  mailboxes: readonly Mailbox[]
  current: Mailbox | undefined
  onChoose: (id: string) => void
}

export function MailboxSwitch({ mailboxes, current, onChoose }: MailboxSwitchProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const found = matching(mailboxes, typed)
  const list = useRef<HTMLUListElement>(null)
  if (current && mailboxes.length === 1)
    return (
      <div className="flex h-11 min-w-0 items-center gap-2.5 px-2">
        <CurrentMailbox mailbox={current} isOnly />
      </div>
    )
  const choose = (id: string) => {
    setIsOpen(false)
    onChoose(id)
  }
  return (
    <Popover
      label="Choose another mailbox"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      className="w-72 max-w-[calc(100vw-2rem)] sm:w-96"
      trigger={
        <button
          type="button"
          className="flex h-11 w-full min-w-0 items-center gap-2.5 rounded-control px-2 text-left -outline-offset-2 hover:bg-hover"
        >
          <CurrentMailbox mailbox={current} />
        </button>
      }
    >
      {mailboxes.length > SEARCH_FROM && (
        <SearchInput
          className="mb-1"
          placeholder="Find a mailbox"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && found[0]) choose(found[0]._id)
            else walk(event, list.current)
          }}
        />
      )}
      <ul
        ref={list}
        className="max-h-80 overflow-y-auto"
        aria-label="Mailboxes"
        onKeyDown={(event) => walk(event, list.current)}
      >
        {found.slice(0, SHOWN).map((mailbox) => (
          <MailboxOption
            key={mailbox._id}
            mailbox={mailbox}
            isCurrent={mailbox._id === current?._id}
            onChoose={() => choose(mailbox._id)}
          />
        ))}
      </ul>
      {found.length === 0 && <p className="px-2.5 py-3 text-soft text-sm">No mailbox matches.</p>}
      {found.length > SHOWN && (
        <p className="px-2.5 py-2 text-soft text-xs">Type to find the others.</p>
      )}
    </Popover>
  )
}

function matching(mailboxes: readonly Mailbox[], typed: string): Mailbox[] {
  const search = typed.trim().toLowerCase()
  return mailboxes.filter(({ email, fullName }) =>
    `${email} ${fullName}`.toLowerCase().includes(search),
  )
}

type CurrentMailboxProps = { mailbox: Mailbox | undefined; isOnly?: boolean }

function CurrentMailbox({ mailbox, isOnly = false }: CurrentMailboxProps) {
  return (
    <>
      <Avatar name={mailbox?.fullName ?? ''} className="size-7" />
      <span className="grid min-w-0 flex-1 leading-4">
        <span dir="auto" className="truncate text-left font-medium text-sm">
          {mailbox?.fullName ?? 'Choose'}
        </span>
        <span className="truncate text-soft text-xs">{mailbox?.email}</span>
      </span>
      {!isOnly && (
        <>
          <span className="sr-only">Choose another mailbox</span>
          <ChevronsUpDown className="size-4 shrink-0 text-soft" aria-hidden />
        </>
      )}
    </>
  )
}

type MailboxOptionProps = { mailbox: Mailbox; isCurrent: boolean; onChoose: () => void }

function MailboxOption({ mailbox, isCurrent, onChoose }: MailboxOptionProps) {
  return (
    <li>
      <button
        type="button"
        aria-current={isCurrent ? 'true' : undefined}
        onClick={onChoose}
        className="flex w-full items-center gap-2.5 rounded-md px-2.5 py-2 text-left text-sm -outline-offset-2 hover:bg-hover"
      >
        <span className="grid min-w-0 flex-1">
          <span className="truncate">{mailbox.email}</span>
          <span dir="auto" className="truncate text-left text-soft text-xs">
            {mailbox.fullName}
          </span>
        </span>
        {isCurrent && <Check className="size-4 shrink-0 text-accent-ink" aria-hidden />}
      </button>
    </li>
  )
}

/** Arrow keys move from the search into the list and along it. */
function walk(event: KeyboardEvent, list: HTMLUListElement | null): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  const buttons = [...(list?.querySelectorAll('button') ?? [])]
  const at = buttons.findIndex((button) => button.matches(':focus'))
  buttons[Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1))]?.focus()
}
