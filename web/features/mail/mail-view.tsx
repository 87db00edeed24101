/** Folders, list and message of one mailbox: three panes, two or one, as the room allows. */
import type { Mailbox } from '#contract/mailboxes.ts'
import { cn } from '#web/ui/cn.ts'
import { ListPane } from './list/list-pane.tsx'
import { MailDialogs } from './mail-dialogs.tsx'
import { FolderPane } from './place/folder-pane.tsx'
import { NoMessageOpen, ReaderPane } from './reader/reader-pane.tsx'
import { useMail } from './use-mail.ts'

type MailViewProps = { mailboxes: readonly Mailbox[]; mailbox: Mailbox }

export function MailView({ mailboxes, mailbox }: MailViewProps) {
  const mail = useMail(mailbox)
  const { place, folder, openId, composing } = mail
  const folderPane = {
    mailboxes,
    mailbox,
    folders: mail.folders,
    folder,
    addressOf: (next: string) => mail.addressOf({ folder: next }),
    onMailbox: (id: string) => mail.go({ mailbox: id }),
    onCompose: composing.write,
  }
  return (
    <>
      <FolderPane {...folderPane} className="@max-[30rem]/mail:hidden w-44 @[58rem]/mail:w-52" />
      <section
        aria-label="Messages"
        className={cn(
          'flex min-w-0 flex-1 flex-col border-line border-r bg-surface @[58rem]/mail:w-88 @[58rem]/mail:flex-none',
          openId !== '' && '@max-[58rem]/mail:hidden',
        )}
      >
        <ListPane
          {...folderPane}
          list={mail.list}
          current={mail.current}
          q={place.q}
          openId={openId}
          addressOfMessage={mail.addressOfMessage}
          onSearch={mail.search}
          onStar={mail.star}
          searchInput={mail.searchInput}
          showRow={mail.showRow}
          onMove={mail.move}
        />
      </section>
      <section
        aria-label="Reading"
        className={cn(
          'flex min-w-0 flex-1 flex-col bg-surface',
          openId === '' && '@max-[58rem]/mail:hidden',
        )}
      >
        {openId === '' ? (
          <NoMessageOpen isListed={mail.list.query.isPending || mail.list.messages.length > 0} />
        ) : (
          <ReaderPane
            mailboxId={mailbox._id}
            open={mail.open}
            actions={mail.reader}
            folder={folder}
            folders={mail.folders ?? []}
          />
        )}
      </section>
      <MailDialogs mail={mail} mailbox={mailbox} />
    </>
  )
}
