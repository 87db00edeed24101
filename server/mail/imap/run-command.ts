/** Runs one command: what it answers, and how it ends (RFC 9051 §7.1). */
import { AppError } from '#contract/errors.ts'
import { BlobStoreAway } from '#server/lib/files/blob-trouble.ts'
import { inAscii } from '#server/lib/plain-text.ts'
import { isDatabaseAway } from '#server/storage/database-away.ts'
import { capabilitiesOf, enableable } from './capabilities.ts'
import { append, replace } from './commands/append.ts'
import { create, remove, rename, subscribe } from './commands/change-folders.ts'
import { fetch } from './commands/fetch.ts'
import { identify } from './commands/identify.ts'
import { list, namespace, status } from './commands/list.ts'
import { notify } from './commands/notify.ts'
import { copy, expunge, move } from './commands/place.ts'
import { quota } from './commands/quota.ts'
import { search, sort, thread } from './commands/search.ts'
import { close, select, unselect } from './commands/select.ts'
import { store } from './commands/store.ts'
import { Refusal, refusalOf } from './refusal.ts'
import { knowsModseq, readerOf, type Session } from './session.ts'
import { FolderGone, sync } from './sync.ts'
import type { Command, Named } from './wire/command.ts'

/** Those that change the connection itself are with it. */
type OfConnection = 'STARTTLS' | 'AUTHENTICATE' | 'LOGIN' | 'IDLE' | 'LOGOUT' | 'COMPRESS'
type PlainName = Exclude<Command['name'], OfConnection>
export type PlainCommand = Named<PlainName>

type Run<Name extends PlainName> = (
  session: Session,
  command: Named<Name>,
  tag: string,
) => Promise<string>

const commands: { [Name in PlainName]: Run<Name> } = {
  CAPABILITY: async (session) => {
    session.out.line(`* CAPABILITY ${capabilitiesOf(session)}`)
    return 'Told'
  },
  NOOP: async () => 'Done',
  CHECK: async () => 'Done',
  ID: identify,
  ENABLE: enable,
  SELECT: select,
  EXAMINE: select,
  CLOSE: close,
  UNSELECT: unselect,
  CREATE: create,
  DELETE: remove,
  RENAME: rename,
  SUBSCRIBE: subscribe,
  UNSUBSCRIBE: subscribe,
  LIST: list,
  LSUB: list,
  STATUS: status,
  NAMESPACE: namespace,
  APPEND: append,
  REPLACE: replace,
  FETCH: fetch,
  STORE: store,
  COPY: copy,
  MOVE: move,
  EXPUNGE: expunge,
  SEARCH: search,
  SORT: sort,
  THREAD: thread,
  NOTIFY: notify,
  GETQUOTA: quota,
  GETQUOTAROOT: quota,
}

async function enable(session: Session, { capabilities }: Named<'ENABLE'>): Promise<string> {
  readerOf(session)
  const known = capabilities.filter((each) => enableable.has(each))
  for (const each of known) session.enabled.add(each)
  // Whoever resynchronises knows modseqs (RFC 7162 §3.2.3).
  if (known.includes('QRESYNC')) session.enabled.add('CONDSTORE')
  session.out.line(`* ENABLED${known.map((each) => ` ${each}`).join('')}`)
  return 'Enabled'
}

/** While these answer, no message may leave the client's count (RFC 9051 §7.5.1). */
const keepingNumbers: ReadonlySet<Command['name']> = new Set([
  ...(['FETCH', 'STORE', 'SEARCH', 'SORT', 'THREAD'] as const),
])
/** These tell what is new, whether the process was told of it or not. */
const alwaysSyncing: ReadonlySet<Command['name']> = new Set(['NOOP', 'CHECK', 'EXPUNGE'])

/** @throws FolderGone, and nothing else */
export const runCommand = async (
  session: Session,
  tag: string,
  command: PlainCommand,
): Promise<void> => {
  const ending = await endingOf(session, tag, command)
  const isTold = session.view !== null || session.watch !== null
  if (isTold && (session.hasNews || alwaysSyncing.has(command.name)))
    await trySync(session, !keepingNumbers.has(command.name))
  session.out.line(`${tag} ${withModseq(session, command, ending)}`)
  await session.out.flush()
}

/**
 * A client takes the highest modseq of an answer for what it knows, unless it is told another (RFC 7162 §6): what left the folder
 * before that change may still have to be told.
 */
const withModseq = (session: Session, { name }: PlainCommand, ending: string): string => {
  const { view, out } = session
  if (view === null || !knowsModseq(session)) return ending
  const code = `[HIGHESTMODSEQ ${Math.max(1, view.completeModseq)}]`
  // RFC 7162 §3.2.7 asks for it.
  if (name === 'EXPUNGE' && session.enabled.has('QRESYNC') && ending === 'OK Expunged')
    return `OK ${code} Expunged`
  if (view.highestTold <= view.completeModseq) return ending
  view.highestTold = view.completeModseq
  out.line(`* OK ${code} All up to here is told`)
  return ending
}

const endingOf = async (session: Session, tag: string, command: PlainCommand): Promise<string> => {
  try {
    const run = commands[command.name] as Run<PlainName>
    return `OK ${await run(session, command, tag)}`
  } catch (error) {
    return refused(session, error)
  }
}

/** @throws FolderGone */
export const refused = (session: Session, error: unknown): string => {
  if (error instanceof FolderGone) throw error
  const refusal = refusalOf(error)
  if (refusal !== undefined) return noText(refusal)
  const { log } = session.app
  if (isDatabaseAway(error) || error instanceof BlobStoreAway)
    return noText(new Refusal('UNAVAILABLE', 'Please try again in a moment'))
  log.error({ err: error }, 'a command of a mail program failed')
  return noText(new Refusal('SERVERBUG', 'Something went wrong here'))
}

const noText = ({ code, message }: Refusal): string =>
  `NO ${code === '' ? '' : `[${code}] `}${inAscii(message)}`

/** What could not be told now is told with the next command. @throws FolderGone */
const trySync = async (session: Session, mayExpunge: boolean): Promise<void> => {
  try {
    await sync(session, { mayExpunge })
  } catch (error) {
    if (error instanceof FolderGone) throw error
    session.hasNews = true
    if (!(error instanceof AppError) && !isDatabaseAway(error))
      session.app.log.error({ err: error }, 'a mail program could not be told what is new')
  }
}
