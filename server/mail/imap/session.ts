/** What a connection has come to: who signed in, what was enabled, which folder is open. */
import type { App } from '#server/app.ts'
import type { ProgramId } from '#server/features/programs/note-use.ts'
import type { SignIn } from '#server/features/programs/sign-in.ts'
import type { MailboxView } from './mailbox-view.ts'
import type { Output } from './output.ts'
import { Refusal } from './refusal.ts'
import type { Watch } from './watch.ts'

export type Session = {
  readonly app: App
  readonly ip: string
  readonly out: Output
  /** Over TLS. */
  isSecure: boolean
  signIn: SignIn | null
  view: MailboxView | null
  /** In capitals: CONDSTORE, QRESYNC, UTF8=ACCEPT, IMAP4REV2. */
  readonly enabled: Set<string>
  /** null: there was no NOTIFY. */
  watch: Watch | null
  /** The mailbox has changed since the client was last told. */
  hasNews: boolean
  /** The connection has ended; nobody waits for an answer. */
  isClosed: boolean
  /** What it said of itself by ID. */
  program: ProgramId | null
}

export const takesUtf8 = ({ enabled }: Session): boolean =>
  enabled.has('UTF8=ACCEPT') || enabled.has('IMAP4REV2')

export const isRev2 = ({ enabled }: Session): boolean => enabled.has('IMAP4REV2')

/** The client knows modseqs (RFC 7162 §3.1). */
export const knowsModseq = ({ enabled }: Session): boolean =>
  enabled.has('CONDSTORE') || enabled.has('QRESYNC')

/** What a command of a signed-in client works on. */
export type Reader = { session: Session; app: App; who: SignIn['who']; mailboxId: string }

/** @throws Refusal where nobody has signed in */
export const readerOf = (session: Session): Reader => {
  const { signIn, app } = session
  if (signIn === null) throw new Refusal('', 'Please sign in first')
  return { session, app, who: signIn.who, mailboxId: signIn.mailboxId }
}

/** With an open folder. */
export type Selecting = Reader & {
  view: MailboxView
  place: { workspaceId: string; mailboxId: string; folderId: string }
}

/** @throws Refusal where no folder is open */
export const selectedOf = (session: Session): Selecting => {
  const reader = readerOf(session)
  const { view } = session
  if (view === null) throw new Refusal('CLIENTBUG', 'No mailbox is selected')
  const { who, mailboxId } = reader
  const place = { workspaceId: who.workspaceId, mailboxId, folderId: view.folderId }
  return { ...reader, view, place }
}

/** @throws Refusal where the folder was opened by EXAMINE */
export const writableOf = (session: Session): Selecting => {
  const selected = selectedOf(session)
  if (selected.view.isReadOnly)
    throw new Refusal('READ-ONLY', 'The mailbox is open for reading only')
  return selected
}
