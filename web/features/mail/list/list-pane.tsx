import { Menu, PenLine, RotateCw } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import type { Folder, MessageSummary } from '#contract/messages.ts'
import { formatCount } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Sheet } from '#web/ui/overlay/sheet.tsx'
import { Tooltip } from '#web/ui/overlay/tooltip.tsx'
import { FolderPane, type FolderPaneProps } from '../place/folder-pane.tsx'
import { StatusNote } from '../place/status-note.tsx'
import { StopNote } from '../sending/stop-note.tsx'
import { VacationNote } from '../settings/vacation/vacation-note.tsx'
import { MessageList, type ShowRow } from './message-list.tsx'
import { SearchBox } from './search-box.tsx'
import type { useMessages } from './use-messages.ts'

type ListPaneProps = FolderPaneProps & {
  list: ReturnType<typeof useMessages>
  current: Folder | undefined
  q: string
  openId: string
  addressOfMessage: (id: string) => string
  onSearch: (q: string) => void
  onStar: (message: MessageSummary) => void
  searchInput: RefObject<HTMLInputElement | null>
  showRow: RefObject<ShowRow>
  /** Down or up from the row with the focus. */
  onMove: (step: 1 | -1) => void
}

export function ListPane(props: ListPaneProps) {
  const { list, current, q, folder, mailbox } = props
  const name = current?.name ?? ''
  const leave = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'ArrowDown') {
      event.preventDefault()
      props.onMove(1)
    }
  }
  return (
    <>
      <div className="flex h-14 shrink-0 items-center gap-1.5 border-line border-b px-3">
        <FolderSheet {...props} />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow leads from the box into the list */}
        <div className="min-w-0 flex-1" onKeyDown={leave}>
          <SearchBox
            key={folder}
            value={q}
            folderName={name}
            onSearch={props.onSearch}
            input={props.searchInput}
          />
        </div>
        <Tooltip text="Refresh" side="bottom">
          <Button
            variant="quiet"
            size="iconSmall"
            aria-label="Refresh"
            onClick={() => void list.query.refetch()}
          >
            <RotateCw className={cn(list.query.isRefetching && 'animate-spin')} aria-hidden />
          </Button>
        </Tooltip>
      </div>
      <StatusNote mailbox={mailbox} />
      <div className="flex items-baseline justify-between gap-3 border-line border-b px-4 py-1.5 text-xs">
        <h2 className="truncate font-semibold">{q === '' ? name : `“${q}” in ${name}`}</h2>
        <span className="shrink-0 text-soft tabular-nums">
          {current && q === '' && describe(current)}
        </span>
      </div>
      <MessageList
        key={`${folder} ${q}`}
        list={list}
        label={name || 'Messages'}
        search={q}
        openId={props.openId}
        isOutgoing={folder === 'sent' || folder === 'drafts'}
        addressOf={props.addressOfMessage}
        onStar={props.onStar}
        onClearSearch={() => props.onSearch('')}
        showRow={props.showRow}
      />
      <VacationNote mailbox={mailbox} />
      <StopNote mailbox={mailbox} />
    </>
  )
}

const describe = ({ messages, unread }: Folder): string => {
  const all = `${formatCount(messages)} ${messages === 1 ? 'message' : 'messages'}`
  return unread > 0 ? `${formatCount(unread)} unread of ${formatCount(messages)}` : all
}

/** On a phone the folders and Compose stand before the list. */
function FolderSheet(props: ListPaneProps) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <div className="@[30rem]/mail:hidden flex">
      <Button
        variant="quiet"
        size="iconSmall"
        aria-label="Folders and mailboxes"
        onClick={() => setIsOpen(true)}
      >
        <Menu aria-hidden />
      </Button>
      <Button variant="quiet" size="iconSmall" aria-label="Compose" onClick={props.onCompose}>
        <PenLine aria-hidden />
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
        />
      </Sheet>
    </div>
  )
}
