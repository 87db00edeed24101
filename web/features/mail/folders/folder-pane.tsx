import { Bell, BellOff, BellRing, PenLine, Settings2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Folder } from '#contract/messages.ts'
import { MailboxSwitch } from '#web/features/mailbox-access/mailbox-switch.tsx'
import { useHolder } from '#web/lib/api/use-can.ts'
import { paths } from '#web/paths.ts'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import { FolderNav } from './folder-nav.tsx'
import type { NotifyState } from './use-notifications.ts'

export type FolderPaneProps = {
  mailboxes: readonly Mailbox[]
  mailbox: Mailbox
  folders: readonly Folder[] | undefined
  folder: string
  addressOf: (folder: string) => string
  onMailbox: (id: string) => void
  onCompose: () => void
  onDropMail: (folder: Folder) => void
  notify: NotifyState
  onNotify: (isOn: boolean) => void
  onHideNotify: () => void
  /** Called after a folder was chosen. */
  onChoose?: () => void
  className?: string
  /** Below the folders. */
  children?: ReactNode
}

export function FolderPane(props: FolderPaneProps) {
  const { mailboxes, mailbox, folders, folder, addressOf, onMailbox, onCompose, onChoose } = props
  const isHolder = useHolder() !== null
  return (
    <div
      className={cn(
        'flex shrink-0 flex-col gap-3 overflow-y-auto border-line border-r bg-sunken p-2',
        props.className,
      )}
    >
      <MailboxSwitch mailboxes={mailboxes} current={mailbox} onChoose={onMailbox} />
      <Button className="mx-0.5" onClick={onCompose}>
        <PenLine aria-hidden />
        Compose
      </Button>
      <FolderNav
        mailboxId={mailbox._id}
        folders={folders}
        current={folder}
        addressOf={addressOf}
        onDropMail={props.onDropMail}
        {...(onChoose ? { onChoose } : {})}
      />
      <span className="mt-auto" />
      {props.children}
      <NotifyButton state={props.notify} onTurn={props.onNotify} onHide={props.onHideNotify} />
      <Link
        to={paths.mailboxSettings({ mailbox: mailbox._id })}
        className="flex h-9 items-center gap-2.5 rounded-control px-2.5 text-soft text-sm -outline-offset-2 hover:bg-hover hover:text-ink"
      >
        <Settings2 className="size-4 shrink-0" aria-hidden />
        <span className="truncate">{isHolder ? 'Settings' : 'Mailbox settings'}</span>
      </Link>
    </div>
  )
}

type NotifyButtonProps = {
  state: NotifyState
  onTurn: (isOn: boolean) => void
  onHide: () => void
}

const style = 'w-full justify-start gap-2.5 px-2.5 font-normal'

export function NotifyButton({ state, onTurn, onHide }: NotifyButtonProps) {
  if (state === 'none') return null
  if (state === 'blocked')
    return (
      <p className="flex gap-2.5 px-2.5 py-1.5 text-soft text-xs">
        <BellOff className="mt-0.5 size-4 shrink-0" aria-hidden />
        <span className="flex-1">
          Notifications are blocked for this site in the browser settings.
        </span>
        <Button
          variant="quiet"
          size="iconSmall"
          className="-my-1 size-6 shrink-0"
          aria-label="Do not say this again"
          onClick={onHide}
        >
          <X aria-hidden />
        </Button>
      </p>
    )
  const isOn = state === 'on'
  const Icon = isOn ? BellRing : Bell
  return (
    <Button variant="quiet" className={style} aria-pressed={isOn} onClick={() => onTurn(!isOn)}>
      <Icon aria-hidden />
      {isOn ? 'Notifications on' : 'Notify of new mail'}
    </Button>
  )
}
