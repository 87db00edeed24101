/** The bar above the list: folders, search, refresh. */
import { LayoutGrid, Menu, RotateCw, Search } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useContext, useEffect, useState } from 'react'
import { ShellPartsContext } from '#web/lib/shell-parts.ts'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Sheet } from '#web/ui/overlay/sheet.tsx'
import { Tooltip } from '#web/ui/overlay/tooltip.tsx'
import { FolderPane, type FolderPaneProps } from '../folders/folder-pane.tsx'
import type { MailList } from './mail-row.ts'
import { useRecentSearches } from './recent-searches.ts'
import { SearchBox } from './search-box.tsx'

export type ListBarProps = FolderPaneProps & {
  list: MailList
  q: string
  openId: string
  onSearch: (q: string) => void
  searchInput: RefObject<HTMLInputElement | null>
  /** Moves the focus one row down or up. */
  onMove: (step: 1 | -1) => void
}

export function ListBar(props: ListBarProps) {
  const { list, q, folder } = props
  const { accountMenu } = useContext(ShellPartsContext)
  const setAwaited = useFirstRow(list, q, () => props.onMove(1))
  const recents = useRecentSearches(props.mailbox._id)
  const enter = (typed: string) => {
    recents.note(typed)
    setAwaited(typed)
  }
  const isRead = q !== '' && props.openId !== ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: a search that led to a message is worth keeping, once
  useEffect(() => {
    if (isRead) recents.note(q)
  }, [isRead])
  const leave = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'ArrowDown') {
      event.preventDefault()
      props.onMove(1)
    }
  }
  return (
    // On a phone this is the only bar: the shell's gives way to it (decision 069).
    <div
      data-own-bar
      className="flex h-14 shrink-0 items-center gap-1.5 border-line border-b px-3 max-sm:relative"
    >
      <FolderSheet {...props} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow leads from the box into the list */}
      <div className="min-w-0 flex-1" onKeyDown={leave} onInput={() => setAwaited(null)}>
        <SearchBox
          key={folder}
          value={q}
          onSearch={props.onSearch}
          onEnter={enter}
          recents={recents}
          input={props.searchInput}
        />
      </div>
      <Tooltip text="Refresh" side="bottom">
        <Button
          variant="quiet"
          size="iconTouch"
          aria-label="Refresh"
          onClick={list.refetch}
          className="@max-[30rem]/mail:hidden"
        >
          <RotateCw className={cn(list.isRefetching && 'animate-spin')} aria-hidden />
        </Button>
      </Tooltip>
      <div className="@[30rem]/mail:hidden grid size-10 shrink-0 place-items-center">
        {accountMenu}
      </div>
    </div>
  )
}

/** The returned function takes a search: when its results are there, the focus goes to the first one. null: to none. */
function useFirstRow(list: MailList, q: string, focusFirst: () => void) {
  const [awaited, setAwaited] = useState<string | null>(null)
  const isThere = awaited === q && !list.isPending && !list.isStale
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when they are there
  useEffect(() => {
    if (!isThere) return
    setAwaited(null)
    if (list.total > 0) focusFirst()
  }, [isThere])
  return setAwaited
}

/** On a phone the folders open in a sheet at the side, and with them all that the shell's bar has on wider screens. */
function FolderSheet(props: ListBarProps) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <div className="@[30rem]/mail:hidden flex">
      <Button
        variant="quiet"
        size="iconTouch"
        aria-label="Folders and mailboxes"
        onClick={() => setIsOpen(true)}
      >
        <Menu aria-hidden />
      </Button>
      <Sheet isOpen={isOpen} onOpenChange={setIsOpen} side="left" title="Folders">
        <FolderPane
          {...props}
          className="h-full"
          onChoose={close}
          onCompose={() => {
            close()
            props.onCompose()
          }}
          onMailbox={(id) => {
            close()
            props.onMailbox(id)
          }}
        >
          <Elsewhere onRefresh={props.list.refetch} onChoose={close} />
        </FolderPane>
      </Sheet>
    </div>
  )
}

type ElsewhereProps = { onRefresh: () => void; onChoose: () => void }

/** The ways from the mail to the rest of the product, and to newer mail. */
function Elsewhere({ onRefresh, onChoose }: ElsewhereProps) {
  const { openMenu, openPalette } = useContext(ShellPartsContext)
  const ways = [
    { title: 'Refresh', icon: RotateCw, act: onRefresh },
    { title: 'Go to', icon: Search, act: openPalette },
    ...(openMenu ? [{ title: 'All pages', icon: LayoutGrid, act: openMenu }] : []),
  ]
  return (
    <div className="grid">
      {ways.map(({ title, icon: Icon, act }) => (
        <Button
          key={title}
          variant="quiet"
          className="w-full justify-start gap-2.5 px-2.5 font-normal"
          onClick={() => {
            onChoose()
            act()
          }}
        >
          <Icon aria-hidden />
          {title}
        </Button>
      ))}
    </div>
  )
}
