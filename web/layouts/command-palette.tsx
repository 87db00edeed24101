import { Command, defaultFilter, useCommandState } from 'cmdk'
import {
  CornerDownRight,
  type LucideIcon,
  Monitor,
  Moon,
  Search,
  Sun,
  UserRound,
} from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useHolder } from '#web/lib/api/use-can.ts'
import { chooseTheme, type Theme, useTheme } from '#web/lib/theme.ts'
import { paths } from '#web/paths.ts'
import { holdersNavigation, navigation } from './navigation.ts'
import { FOUND, MAIL_SEARCH, PaletteFindings } from './palette-findings.tsx'
import { useLeaving } from './use-heading-focus.ts'

type Destination = { title: string; path: string; icon: LucideIcon }

const destinations: readonly Destination[] = [
  ...navigation.flatMap(({ title, path, icon, items }) => [
    { title, path, icon },
    ...items.map((item) => ({ ...item, icon: CornerDownRight })),
  ]),
  { title: 'Profile', path: paths.profile(), icon: UserRound },
]

const themes: readonly { theme: Theme; title: string; icon: LucideIcon }[] = [
  { theme: 'light', title: 'Light', icon: Sun },
  { theme: 'dark', title: 'Dark', icon: Moon },
  { theme: 'system', title: 'System', icon: Monitor },
]

/** Found with the title. */
const THEME_WORDS = ['theme', 'colours']

const groupStyle =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1.5 [&_[cmdk-group-heading]]:text-soft [&_[cmdk-group-heading]]:text-xs'

type CommandPaletteProps = Pick<SearchLineProps, 'typed' | 'onType'> & {
  isOpen: boolean
  /** Enter was pressed before the palette was loaded. */
  isEntered: boolean
  onOpenChange: (isOpen: boolean) => void
}

export function CommandPalette(props: CommandPaletteProps) {
  const { isOpen, onOpenChange, typed, onType, isEntered } = props
  const navigate = useNavigate()
  const current = useTheme()
  const isHolder = useHolder() !== null
  const shown = isHolder ? holdersNavigation : destinations
  const [selected, setSelected] = useState('')
  const { leave, onCloseAutoFocus } = useLeaving(isOpen)
  const close = () => onOpenChange(false)
  const go = (path: string) => {
    leave()
    close()
    void navigate(path)
  }
  const run = (does: string | (() => void)) => {
    if (typeof does === 'string') return go(does)
    leave()
    close()
    does()
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => (open ? onOpenChange(true) : close())}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focusLine}
          onCloseAutoFocus={onCloseAutoFocus}
          className="fixed top-[12vh] left-1/2 z-50 w-[calc(100%-2rem)] max-w-lg -translate-x-1/2 animate-rise overflow-hidden rounded-2xl border border-line bg-surface shadow-floating focus:outline-none"
        >
          <Dialog.Title className="sr-only">Command palette</Dialog.Title>
          <Command
            label="Command palette"
            loop
            vimBindings={false}
            filter={score}
            value={selected}
            onValueChange={setSelected}
          >
            <SearchLine typed={typed} onType={onType} />
            {isEntered && <RunFirst typed={typed} />}
            {/* Outside the listbox, which may contain only options. */}
            <NoResults />
            <Command.List className="max-h-[min(30rem,66vh)] overflow-y-auto px-1.5 pb-1.5">
              <Command.Group heading="Navigation" className={groupStyle}>
                {shown.map(({ title, path, icon }) => (
                  <Entry key={path} title={title} icon={icon} onSelect={() => go(path)} />
                ))}
              </Command.Group>
              <PaletteFindings
                typed={typed}
                className={groupStyle}
                onSelect={setSelected}
                onRun={run}
              />
              <Command.Group heading="Theme" className={groupStyle}>
                {themes.map(({ theme, title, icon }) => (
                  <Entry
                    key={theme}
                    title={title}
                    icon={icon}
                    words={THEME_WORDS}
                    note={theme === current ? 'Current' : ''}
                    onSelect={() => {
                      chooseTheme(theme)
                      close()
                    }}
                  />
                ))}
              </Command.Group>
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** The library would select what was typed already, and the next key would replace it. */
const focusLine = (event: Event) => {
  event.preventDefault()
  const line = (event.target as HTMLElement).querySelector('input')
  line?.focus()
  line?.setSelectionRange(line.value.length, line.value.length)
}

/** Also when the only entry is the way to a search of the mail. */
function NoResults() {
  const isEmpty = useCommandState(
    ({ filtered: { count }, value }) => count === 0 || (count === 1 && value === MAIL_SEARCH),
  )
  if (!isEmpty) return null
  return (
    <p role="presentation" className="py-10 text-center text-sm text-soft">
      No results found.
    </p>
  )
}

/** What was found stands behind pages of that name. */
const score = (value: string, search: string, words: string[] = []): number =>
  value.startsWith(FOUND) ? 0.0001 : defaultFilter(value, search, words)

type SearchLineProps = { typed: string; onType: (typed: string) => void }

function SearchLine({ typed, onType }: SearchLineProps) {
  return (
    <div className="flex items-center gap-2.5 border-line border-b px-4">
      <Search className="size-4 shrink-0 text-soft" aria-hidden />
      <Command.Input
        value={typed}
        onValueChange={onType}
        placeholder="Type a command or search..."
        className="h-12 w-full bg-transparent text-sm outline-none placeholder:text-soft max-md:text-base"
      />
    </div>
  )
}

/** Presses Enter again, once the best entry for the typed words is the selected one. */
function RunFirst({ typed }: { typed: string }) {
  const mark = useRef<HTMLSpanElement>(null)
  const search = useCommandState((state) => state.search)
  const selected = useCommandState((state) => state.value)
  useEffect(() => {
    const palette = mark.current?.parentElement
    const best = palette?.querySelector('[cmdk-item]')
    if (search !== typed || selected === '' || best?.ariaSelected !== 'true') return
    palette?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  }, [search, selected, typed])
  return <span ref={mark} hidden />
}

type EntryProps = {
  title: string
  icon: LucideIcon
  words?: string[]
  note?: string
  onSelect: () => void
}

function Entry({ title, icon: Icon, words = [], note, onSelect }: EntryProps) {
  return (
    <Command.Item
      value={title}
      keywords={words}
      onSelect={onSelect}
      className="flex cursor-default select-none items-center gap-2.5 rounded-lg px-2.5 py-2 text-sm max-md:min-h-11 data-[selected=true]:bg-hover"
    >
      <Icon className="size-4 text-soft" aria-hidden />
      {title}
      {note && <span className="ml-auto text-soft text-xs">{note}</span>}
    </Command.Item>
  )
}
