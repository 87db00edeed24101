/** Folders, list and message of one mailbox: in one, two or three panes, depending on the width. */
import { type ReactNode, useEffect } from 'react'
import type { Mailbox } from '#contract/mailboxes.ts'
import { MESSAGES_ID } from '#web/lib/shell-parts.ts'
import { cn } from '#web/ui/cn.ts'
import { FolderPane } from './folders/folder-pane.tsx'
import { useNotifications, useNotifyChoice } from './folders/use-notifications.ts'
import { useCatchUp } from './list/catch-up.ts'
import { ListPane } from './list/list-pane.tsx'
import { MailDialogs } from './mail-dialogs.tsx'
import { SendAgainContext } from './reader/bounce-note.tsx'
import { NoMessageOpen, ReaderPane } from './reader/reader-pane.tsx'
import { useMail } from './use-mail.ts'

type MailboxProps = { mailboxes: readonly Mailbox[]; mailbox: Mailbox }

type MailViewProps = MailboxProps & {
  /** Shown instead of the panes when the reader lost the right to this mailbox. */
  replacement: ReactNode
  onWriting: (isWriting: boolean) => void
}

export function MailView({ replacement, onWriting, ...props }: MailViewProps) {
  useCatchUp(props.mailbox._id)
  const mail = useMail(props.mailbox)
  const isWriting = mail.composing.letters.length > 0
  useEffect(() => {
    onWriting(isWriting)
    return () => onWriting(false)
  }, [isWriting, onWriting])
  return (
    <>
      <SendAgainContext value={mail.composing.sendAgain}>
        {replacement ?? <Panes mail={mail} {...props} />}
      </SendAgainContext>
      <MailDialogs mail={mail} mailbox={props.mailbox} />
    </>
  )
}

type Mail = { mail: ReturnType<typeof useMail> }

function Panes({ mail, mailboxes, mailbox }: MailboxProps & Mail) {
  const { folder, openId, composing, go } = mail
  const notify = useNotifyChoice(mailbox._id)
  useNotifications(mailbox._id, notify.state === 'on', (id) => go({ folder: '', message: id }))
  const folderPane = {
    mailboxes,
    mailbox,
    folders: mail.folders,
    folder,
    addressOf: (next: string) => mail.addressOf({ folder: next }),
    onMailbox: (id: string) => mail.go({ mailbox: id }),
    onCompose: composing.write,
    onDropMail: mail.drop,
    notify: notify.state,
    onNotify: (isOn: boolean) => void notify.turn(isOn),
    onHideNotify: notify.hide,
  }
  return (
    <>
      <FolderPane
        {...folderPane}
        className={cn(
          '@max-[30rem]/mail:hidden w-44 @[58rem]/mail:w-52',
          // On a tablet the open message needs the room more than the folders.
          openId !== '' && '@max-[44rem]/mail:hidden',
        )}
      />
      <section
        aria-label="Messages"
        className={cn(
          'relative flex min-w-0 flex-1 flex-col border-line border-r bg-surface @[58rem]/mail:w-88 @[84rem]/mail:w-112 @[58rem]/mail:flex-none',
          openId !== '' && '@max-[58rem]/mail:hidden',
        )}
      >
        <ListPane
          {...folderPane}
          list={mail.list}
          selection={mail.selection}
          verbs={mail.verbs}
          current={mail.current}
          q={mail.place.q}
          isOnly={mail.place.only !== ''}
          onOnly={mail.setOnly}
          openId={openId}
          openThread={mail.open.conversation?.threadId}
          addressOfRow={mail.addressOfRow}
          onSearch={mail.search}
          onEmpty={mail.empty}
          onStar={mail.star}
          onDrag={mail.drag}
          onSwipe={mail.swipe}
          searchInput={mail.searchInput}
          showRow={mail.showRow}
          onMove={mail.move}
        />
      </section>
      <ReadingPane mail={mail} mailboxId={mailbox._id} />
    </>
  )
}

type ReadingPaneProps = { mail: ReturnType<typeof useMail>; mailboxId: string }

function ReadingPane({ mail, mailboxId }: ReadingPaneProps) {
  const { folder, openId } = mail
  return (
    <section
      aria-label="Reading"
      data-instead-of={MESSAGES_ID}
      tabIndex={-1}
      onPointerDown={mail.open.confirmReading}
      onWheel={mail.open.confirmReading}
      onKeyDown={mail.open.confirmReading}
      className={cn(
        'flex min-w-0 flex-1 flex-col bg-surface focus:outline-none',
        openId === '' && '@max-[58rem]/mail:hidden',
      )}
    >
      {openId === '' ? (
        <NoMessageOpen isListed={mail.list.isPending || mail.list.total > 0} />
      ) : (
        <ReaderPane
          mailboxId={mailboxId}
          open={mail.open}
          actions={mail.reader}
          folder={folder}
          folders={mail.folders ?? []}
        />
      )}
    </section>
  )
}
