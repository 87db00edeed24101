import {
  Archive,
  ArrowLeft,
  Download,
  Ellipsis,
  FileCode,
  FolderInput,
  FolderSearch,
  Forward,
  Keyboard,
  MailOpen,
  Printer,
  Reply,
  ReplyAll,
  ShieldAlert,
  Star,
  Trash2,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { Folder, Message, MessageSummary } from '#contract/messages.ts'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { Tooltip } from '#web/ui/overlay/tooltip.tsx'
import { LISTED_TARGETS, moveTargets } from '../list/move-dialog.tsx'

/** Every action on the open message; the keyboard shortcuts call the same functions. */
export type ReaderActions = {
  back: () => void
  reply: () => void
  replyAll: () => void
  forward: () => void
  archive: () => void
  toggleJunk: () => void
  remove: () => void
  markUnread: () => void
  toggleStar: () => void
  moveTo: (folder: Folder) => void
  move: () => void
  download: () => void
  print: () => void
  showOriginal: () => void
  /** Replies to another message of the conversation. */
  replyTo: (message: Message) => void
  noteRead: (messages: readonly MessageSummary[]) => void
  /** Writes to the address of a mailto: link. */
  writeTo: (mailto: string) => void
  showShortcuts: () => void
}

type ReaderToolbarProps = {
  actions: ReaderActions
  summary: MessageSummary
  folder: string
  folders: readonly Folder[]
  isLoaded: boolean
}

export function ReaderToolbar(props: ReaderToolbarProps) {
  const { actions, summary, folder, isLoaded } = props
  const isFinal = folder === 'trash' || folder === 'drafts'
  return (
    <div
      role="toolbar"
      aria-label="Message"
      className="flex h-14 shrink-0 items-center gap-0.5 border-line border-b px-2 sm:px-3"
    >
      <Button
        variant="quiet"
        size="iconTouch"
        aria-label="Back to the list"
        onClick={actions.back}
        className="@[58rem]/mail:hidden"
      >
        <ArrowLeft aria-hidden />
      </Button>
      <Tool label="Reply (r)" icon={Reply} onPress={actions.reply} isOff={!isLoaded} />
      <Tool label="Reply all (a)" icon={ReplyAll} onPress={actions.replyAll} isOff={!isLoaded} />
      <Tool
        label="Forward (f)"
        icon={Forward}
        onPress={actions.forward}
        isOff={!isLoaded}
        className="max-sm:hidden"
      />
      <span aria-hidden className="mx-1 h-5 w-px bg-line max-sm:hidden" />
      {folder !== 'archive' && (
        <Tool label="Archive (e)" icon={Archive} onPress={actions.archive} />
      )}
      <Tool
        label={isFinal ? 'Delete for good (#)' : 'Delete (#)'}
        icon={Trash2}
        onPress={actions.remove}
      />
      {/* In Junk the note above the message has the button to move it out. */}
      {folder !== 'sent' && folder !== 'drafts' && folder !== 'junk' && (
        <Tool
          label="Junk (!)"
          icon={ShieldAlert}
          onPress={actions.toggleJunk}
          className="max-sm:hidden"
        />
      )}
      <span className="ml-auto" />
      <Tool
        label="Star (s)"
        icon={Star}
        onPress={actions.toggleStar}
        isPressed={summary.isStarred}
      />
      <MoreMenu {...props} />
    </div>
  )
}

function MoreMenu({ actions, folder, folders, isLoaded }: ReaderToolbarProps) {
  const targets = moveTargets(folders, folder).slice(0, LISTED_TARGETS)
  return (
    <DropdownMenu
      trigger={
        <Button variant="quiet" size="iconTouch" aria-label="More actions">
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      {/* On a phone the toolbar has no room for Forward. */}
      <MenuItem className="sm:hidden" onSelect={actions.forward} disabled={!isLoaded}>
        <Forward aria-hidden />
        Forward
      </MenuItem>
      <MenuItem onSelect={actions.markUnread}>
        <MailOpen aria-hidden />
        Mark as unread
      </MenuItem>
      <MenuItem onSelect={actions.download} disabled={!isLoaded}>
        <Download aria-hidden />
        Download message
      </MenuItem>
      <MenuItem onSelect={actions.print} disabled={!isLoaded}>
        <Printer aria-hidden />
        Print
      </MenuItem>
      <MenuItem onSelect={actions.showOriginal} disabled={!isLoaded}>
        <FileCode aria-hidden />
        Show original
      </MenuItem>
      <MenuItem onSelect={actions.showShortcuts}>
        <Keyboard aria-hidden />
        Keyboard shortcuts
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>Move to</MenuLabel>
      {targets.map((target) => (
        <MenuItem key={target._id} onSelect={() => actions.moveTo(target)}>
          <FolderInput aria-hidden />
          {target.name}
        </MenuItem>
      ))}
      <MenuItem onSelect={actions.move}>
        <FolderSearch aria-hidden />
        Find or make a folder (v)
      </MenuItem>
    </DropdownMenu>
  )
}

type ToolProps = {
  label: string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  onPress: () => void
  isPressed?: boolean
  isOff?: boolean
  className?: string
}

function Tool({ label, icon: Icon, onPress, isPressed, isOff = false, className }: ToolProps) {
  return (
    <Tooltip text={label} side="bottom">
      <Button
        variant="quiet"
        size="iconTouch"
        className={className}
        aria-label={label.replace(/ \(.\)$/, '')}
        aria-pressed={isPressed}
        disabled={isOff}
        onClick={onPress}
      >
        <Icon className={cn(isPressed && 'fill-current text-warn')} aria-hidden />
      </Button>
    </Tooltip>
  )
}
