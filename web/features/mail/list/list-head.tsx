/** Above the list: the title and counts, or the actions for the selected rows. */
import {
  Archive,
  Ellipsis,
  FolderInput,
  FolderSearch,
  MailCheck,
  MailOpen,
  ShieldAlert,
  ShieldCheck,
  Star,
  Trash2,
  X,
} from 'lucide-react'
import { type ComponentType, Suspense, useState } from 'react'
import type { Folder } from '#contract/messages.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { formatCount } from '#web/lib/format.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { Tooltip } from '#web/ui/overlay/tooltip.tsx'
import type { MailList } from './mail-row.ts'
import type { MailVerbs } from './mail-verbs.ts'
import { LISTED_TARGETS, moveTargets } from './move-dialog.tsx'
import type { ListSelection } from './use-selection.ts'

type ListHeadProps = {
  list: MailList
  selection: ListSelection
  verbs: MailVerbs
  folders: readonly Folder[]
  folder: string
  /** 'Inbox', or the search and where it looks. */
  title: string
  mailboxId: string
  /** Address of the mailbox, for narrow screens that show it nowhere else. */
  mailbox: string
  counts: string
  isSearch: boolean
  /** true: what is listed may be in several folders. */
  isEverywhere: boolean
  /** Asks, then deletes everything in the folder for good. */
  onEmpty: () => void
}

export function ListHead(props: ListHeadProps) {
  const { list, selection, title, mailbox, counts } = props
  const { count } = selection
  const isAll = count > 0 && count >= list.total
  const toggle = () => (count > 0 ? selection.clear() : selection.selectLoaded())
  return (
    <>
      <div className="flex h-10 shrink-0 items-center gap-2 border-line border-b pr-2 pl-3 text-xs max-sm:h-11">
        <Checkbox
          checked={isAll ? true : count > 0 ? 'indeterminate' : false}
          disabled={list.total === 0}
          aria-label={count > 0 ? 'Select none' : 'Select all that are shown'}
          onCheckedChange={toggle}
        />
        {count > 0 ? (
          <SelectionTools {...props} />
        ) : (
          <>
            <div className="ml-1 grid min-w-0 flex-1 leading-4">
              <h2 className="truncate font-semibold">{title}</h2>
              <span className="@[30rem]/mail:hidden truncate text-soft">{mailbox}</span>
            </div>
            <span className="shrink-0 pr-2 text-soft tabular-nums">{counts}</span>
          </>
        )}
      </div>
      <WholeList {...props} />
      <FolderNote {...props} />
    </>
  )
}

function SelectionTools(props: ListHeadProps) {
  const { list, selection, verbs, folders, folder, isSearch, isEverywhere } = props
  const targets = moveTargets(folders, isEverywhere ? '' : folder).slice(0, LISTED_TARGETS)
  const isOwn = folder === 'sent' || folder === 'drafts'
  const isFinal = folder === 'trash' || folder === 'drafts'
  const isUncounted = isSearch && selection.selection.allUntil !== null && !list.isWhole
  return (
    <div role="toolbar" aria-label="Selected" className="flex min-w-0 flex-1 items-center gap-0.5">
      <span className="mr-auto shrink-0 pl-1 font-semibold tabular-nums" role="status">
        {isUncounted ? 'All' : formatCount(selection.count)} selected
      </span>
      {folder !== 'archive' && <Tool label="Archive (e)" icon={Archive} onPress={verbs.archive} />}
      <Tool
        label={isFinal ? 'Delete for good (#)' : 'Delete (#)'}
        icon={Trash2}
        onPress={verbs.remove}
      />
      {!isOwn && (
        <Tool
          label={folder === 'junk' ? 'Not junk (!)' : 'Junk (!)'}
          icon={folder === 'junk' ? ShieldCheck : ShieldAlert}
          onPress={verbs.toggleJunk}
        />
      )}
      <Tool label="Mark as read (Shift i)" icon={MailCheck} onPress={verbs.markRead} />
      <DropdownMenu
        trigger={
          <Button variant="quiet" size="iconTouch" aria-label="Move, star and more">
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={verbs.markUnread}>
          <MailOpen aria-hidden />
          Mark as unread
        </MenuItem>
        <MenuItem onSelect={verbs.toggleStar}>
          <Star aria-hidden />
          Add or remove the star
        </MenuItem>
        <MenuSeparator />
        <MenuLabel>Move to</MenuLabel>
        {targets.map((target) => (
          <MenuItem key={target._id} onSelect={() => verbs.moveTo(target)}>
            <FolderInput aria-hidden />
            {target.name}
          </MenuItem>
        ))}
        <MenuItem onSelect={verbs.move}>
          <FolderSearch aria-hidden />
          Find or make a folder (v)
        </MenuItem>
      </DropdownMenu>
      <Tool label="Select none (Esc)" icon={X} onPress={selection.clear} />
    </div>
  )
}

const RecoverDialog = lazyPart(async () => (await import('./recover-dialog.tsx')).RecoverDialog)

/** In Trash and Junk: empties the folder after one question, which nothing else does, and brings back what was deleted for good. */
function FolderNote(props: ListHeadProps) {
  const { list, selection, title, folder, isSearch, onEmpty, mailboxId } = props
  const [isRecovering, setIsRecovering] = useState(false)
  const isHere = folder === 'trash' || folder === 'junk'
  const isEmpty = list.total === 0
  if (!isHere || isSearch || selection.count > 0 || (isEmpty && folder === 'junk')) return null
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 border-line border-b px-3 py-1 text-soft text-xs">
        <span className="mr-auto">
          {isEmpty
            ? 'Deleted messages come here first.'
            : 'Messages stay here until you delete them.'}
        </span>
        {folder === 'trash' && (
          <Button
            variant="link"
            size="inline"
            className="min-h-6 text-xs"
            onClick={() => setIsRecovering(true)}
          >
            Recover deleted
          </Button>
        )}
        {!isEmpty && (
          <Button variant="link" size="inline" className="min-h-6 text-xs" onClick={onEmpty}>
            Empty {title}
          </Button>
        )}
      </p>
      <Suspense>
        {isRecovering && (
          <RecoverDialog mailboxId={mailboxId} onClose={() => setIsRecovering(false)} />
        )}
      </Suspense>
    </>
  )
}

/** Offers to select all, when all loaded rows are selected and there are more. How many a search finds is not known before. */
function WholeList({ list, selection, title, isSearch }: ListHeadProps) {
  const isWhole = selection.selection.allUntil !== null
  const isLoaded = selection.count > 1 && selection.count >= list.loaded().length
  const hasMore = isSearch ? !list.isWhole : selection.count < list.total
  if (!isWhole && !(isLoaded && hasMore)) return null
  const allSelected = isSearch
    ? 'Everything that this search finds is selected.'
    : `All ${conversations(selection.count)} in ${title} are selected.`
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-2 border-line border-b bg-accent-wash px-3 py-1.5 text-center text-xs">
      {isWhole ? allSelected : `${conversations(selection.count)} are selected.`}
      {!isWhole && (
        <Button variant="link" size="inline" className="text-xs" onClick={selection.selectAll}>
          {isSearch
            ? 'Select everything that this search finds'
            : `Select all ${conversations(list.total)} in ${title}`}
        </Button>
      )}
    </p>
  )
}

/** Folders count messages, lists count conversations: the unit stands beside the number. */
const conversations = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'conversation' : 'conversations'}`

type ToolProps = {
  label: string
  icon: ComponentType<{ 'aria-hidden'?: boolean }>
  onPress: () => void
}

function Tool({ label, icon: Icon, onPress }: ToolProps) {
  return (
    <Tooltip text={label} side="bottom">
      <Button
        variant="quiet"
        size="iconTouch"
        aria-label={label.replace(/ \([^)]*\)$/, '')}
        onClick={onPress}
      >
        <Icon aria-hidden />
      </Button>
    </Tooltip>
  )
}
