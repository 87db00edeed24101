import { Archive, File, Folder as FolderIcon, Inbox, Send, ShieldAlert, Trash2 } from 'lucide-react'
import type { DragEvent } from 'react'
import { Link } from 'react-router'
import { isInside } from '#contract/mail/own-folders.ts'
import type { Folder, FolderRole } from '#contract/messages.ts'
import { formatCount } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { FolderMenu, NewFolder } from './own-folders.tsx'

const icons: Record<FolderRole, typeof Inbox> = {
  inbox: Inbox,
  sent: Send,
  drafts: File,
  junk: ShieldAlert,
  trash: Trash2,
  archive: Archive,
}

/** How the API and the URL name a folder. */
export const folderKey = (folder: Folder): string => folder.role ?? folder._id

/** Drafts shows the number of all its messages, because each one waits to be finished. */
const countOf = (folder: Folder): number => {
  if (folder.role === 'drafts') return folder.messages
  return folder.role === 'sent' || folder.role === 'trash' ? 0 : folder.unread
}

/** 'Ada' of 'Clients/Ada', and how deep it is. A folder of a name of before may have no outer one. */
export const placeInTree = (
  folder: Folder,
  folders: readonly Folder[],
): { name: string; depth: number } => {
  const outer = folders.filter(
    ({ role, name }) => role === null && folder.role === null && isInside(folder.name, name),
  )
  const longest = Math.max(-1, ...outer.map(({ name }) => name.length))
  return { name: folder.name.slice(longest + 1), depth: outer.length }
}

type FolderNavProps = {
  mailboxId: string
  folders: readonly Folder[] | undefined
  current: string
  addressOf: (folder: string) => string
  onChoose?: () => void
  /** Mail of the list was dropped on the folder. */
  onDropMail: (folder: Folder) => void
}

/** What a dragged row carries: files and text of elsewhere are not mail. */
export const DRAGGED_MAIL = 'application/x-mailstead-mail'

/** Mail is moved by hand to every folder but Sent and Drafts. */
const dropHandlers = (folder: Folder, onDropMail: (folder: Folder) => void) => {
  if (folder.role === 'sent' || folder.role === 'drafts') return {}
  const isMail = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes(DRAGGED_MAIL)
  const mark = ({ currentTarget }: DragEvent, isOver: boolean) =>
    currentTarget.toggleAttribute('data-drop', isOver)
  return {
    onDragOver: (event: DragEvent) => {
      if (!isMail(event)) return
      event.preventDefault()
      mark(event, true)
    },
    onDragLeave: (event: DragEvent) => mark(event, false),
    onDrop: (event: DragEvent) => {
      mark(event, false)
      if (!isMail(event)) return
      event.preventDefault()
      onDropMail(folder)
    },
  }
}

export function FolderNav(props: FolderNavProps) {
  const { mailboxId, folders, current, addressOf, onChoose } = props
  if (!folders) return <LoadingFolders />
  return (
    <nav aria-label="Folders">
      <ul className="grid gap-0.5">
        {folders.map((folder) => {
          const Icon = folder.role ? icons[folder.role] : FolderIcon
          const isHere = folderKey(folder) === current
          const count = countOf(folder)
          const { name, depth } = placeInTree(folder, folders)
          const inner = folders.filter(
            (other) => folder.role === null && isInside(other.name, folder.name),
          )
          const isInnerHere = inner.some((other) => folderKey(other) === current)
          return (
            <li key={folder._id} className="relative" style={{ paddingLeft: `${depth * 0.75}rem` }}>
              <Link
                to={addressOf(folderKey(folder))}
                onClick={onChoose}
                {...dropHandlers(folder, props.onDropMail)}
                aria-current={isHere ? 'page' : undefined}
                className={cn(
                  folder.role === null && 'pr-9',
                  'flex h-9 items-center gap-2.5 rounded-control px-2.5 text-sm -outline-offset-2 transition-colors hover:bg-hover hover:text-ink data-drop:bg-accent-wash data-drop:outline-2 data-drop:outline-accent',
                  isHere ? 'bg-accent-wash font-medium text-accent-ink' : 'text-soft',
                )}
              >
                <Icon className="size-4 shrink-0" aria-hidden />
                <span
                  className="min-w-0 flex-1 truncate"
                  title={depth > 0 ? folder.name : undefined}
                >
                  {depth > 0 && (
                    <span className="sr-only">{folder.name.slice(0, -name.length)}</span>
                  )}
                  {name}
                </span>
                {count > 0 && (
                  <span className="font-medium text-xs tabular-nums">
                    {formatCount(count)}
                    <span className="sr-only">
                      {folder.role === 'drafts' ? ' drafts' : ' unread'}
                    </span>
                  </span>
                )}
              </Link>
              {folder.role === null && (
                <span className="absolute top-1 right-1">
                  <FolderMenu
                    {...{ mailboxId, folder, inner, addressOf }}
                    isHere={isHere || isInnerHere}
                  />
                </span>
              )}
            </li>
          )
        })}
      </ul>
      <NewFolder mailboxId={mailboxId} addressOf={addressOf} />
    </nav>
  )
}

function LoadingFolders() {
  return (
    <div role="status" className="grid gap-2 px-2 py-1">
      <span className="sr-only">Loading folders</span>
      {['w-24', 'w-20', 'w-16', 'w-24', 'w-14', 'w-20'].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
        <Skeleton key={index} className={cn('h-5', width)} />
      ))}
    </div>
  )
}
