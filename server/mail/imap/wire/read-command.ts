/** Understands a command (RFC 9051 §6). It never throws, whatever a client sends. */
import type { Command, ReadingMode } from './command.ts'
import { BadSyntax, Cursor } from './cursor.ts'
import type { Frame } from './frames.ts'
import { readMailboxName } from './mailbox-names.ts'
import { readSet } from './message-sets.ts'
import { readAppend, readReplace } from './read-append.ts'
import { readFetch } from './read-fetch.ts'
import { readList, readStatus } from './read-list.ts'
import { readNotify } from './read-notify.ts'
import { readSearch, readSort, readThread } from './read-search.ts'
import { readSelect, readStore } from './read-select-and-store.ts'

/** `tag`: '*' when there was none. */
export type ReadCommand = { tag: string; command: Command } | { tag: string; fault: string }

type Read = (cursor: Cursor, mode: ReadingMode) => Command

const plain = (name: Extract<Command, { name: string }>['name']): Read => {
  return () => ({ name }) as Command
}

const mailboxOnly =
  (name: 'DELETE' | 'SUBSCRIBE' | 'UNSUBSCRIBE'): Read =>
  (cursor, { isUtf8 }) => {
    cursor.space()
    return { name, mailbox: readMailboxName(cursor, isUtf8) }
  }

const copyOrMove =
  (name: 'COPY' | 'MOVE', isUid: boolean): Read =>
  (cursor, { isUtf8 }) => {
    cursor.space()
    const set = readSet(cursor)
    cursor.space()
    return { name, isUid, set, mailbox: readMailboxName(cursor, isUtf8) }
  }

const readers: Record<string, Read> = {
  CAPABILITY: plain('CAPABILITY'),
  NOOP: plain('NOOP'),
  LOGOUT: plain('LOGOUT'),
  STARTTLS: plain('STARTTLS'),
  CHECK: plain('CHECK'),
  CLOSE: plain('CLOSE'),
  UNSELECT: plain('UNSELECT'),
  IDLE: plain('IDLE'),
  NAMESPACE: plain('NAMESPACE'),
  COMPRESS: readCompress,
  EXPUNGE: () => ({ name: 'EXPUNGE', set: null }),
  ID: readId,
  AUTHENTICATE: readAuthenticate,
  LOGIN: readLogin,
  ENABLE: readEnable,
  SELECT: (cursor, mode) => readSelect('SELECT', cursor, mode),
  EXAMINE: (cursor, mode) => readSelect('EXAMINE', cursor, mode),
  CREATE: readCreate,
  DELETE: mailboxOnly('DELETE'),
  SUBSCRIBE: mailboxOnly('SUBSCRIBE'),
  UNSUBSCRIBE: mailboxOnly('UNSUBSCRIBE'),
  RENAME: readRename,
  LIST: (cursor, mode) => readList('LIST', cursor, mode),
  LSUB: (cursor, mode) => readList('LSUB', cursor, mode),
  STATUS: readStatus,
  APPEND: readAppend,
  REPLACE: (cursor, mode) => readReplace(false, cursor, mode),
  FETCH: (cursor) => readFetch(false, cursor),
  STORE: (cursor) => readStore(false, cursor),
  COPY: copyOrMove('COPY', false),
  MOVE: copyOrMove('MOVE', false),
  SEARCH: (cursor, { now }) => readSearch(false, cursor, now),
  SORT: (cursor, { now }) => readSort(false, cursor, now),
  THREAD: (cursor, { now }) => readThread(false, cursor, now),
  NOTIFY: readNotify,
  GETQUOTA: (cursor) => readQuota('GETQUOTA', cursor),
  GETQUOTAROOT: (cursor) => readQuota('GETQUOTAROOT', cursor),
}

const uidReaders: Record<string, Read> = {
  FETCH: (cursor) => readFetch(true, cursor),
  STORE: (cursor) => readStore(true, cursor),
  COPY: copyOrMove('COPY', true),
  MOVE: copyOrMove('MOVE', true),
  SEARCH: (cursor, { now }) => readSearch(true, cursor, now),
  SORT: (cursor, { now }) => readSort(true, cursor, now),
  THREAD: (cursor, { now }) => readThread(true, cursor, now),
  REPLACE: (cursor, mode) => readReplace(true, cursor, mode),
  EXPUNGE: (cursor) => {
    cursor.space()
    return { name: 'EXPUNGE', set: readSet(cursor) }
  },
}

/** All that are understood here, as they are typed. */
export const commandNames: readonly string[] = [
  ...Object.keys(readers),
  ...Object.keys(uidReaders).map((verb) => `UID ${verb}`),
]

export const readCommand = (frame: Frame, mode: ReadingMode): ReadCommand => {
  const cursor = new Cursor(frame)
  const tag = readTag(frame.text)
  if (tag === null) return { tag: '*', fault: 'A command begins with a tag and a space' }
  try {
    cursor.expect(tag.toUpperCase())
    cursor.space()
    const command = readNamed(cursor, mode)
    cursor.end()
    return { tag, command }
  } catch (error) {
    if (error instanceof BadSyntax) return { tag, fault: error.message }
    throw error
  }
}

/** Of a command that need not be whole; null: it has none (RFC 9051 §9, `tag`). */
export const readTag = (text: string): string | null =>
  /^([!#-'*,-[\]-z|}~]{1,100}) /.exec(text)?.[1] ?? null

const readNamed = (cursor: Cursor, mode: ReadingMode): Command => {
  const name = cursor.word('A command')
  if (name === 'UID') {
    cursor.space()
    const verb = cursor.word('A command behind UID')
    const read = Object.hasOwn(uidReaders, verb) ? uidReaders[verb] : undefined
    if (read === undefined) throw new BadSyntax(`UID ${verb.slice(0, 40)} is not known here`)
    return read(cursor, mode)
  }
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined
  if (read === undefined) throw new BadSyntax(`${name.slice(0, 40)} is not known here`)
  return read(cursor, mode)
}

const MAX_FIELDS = 30

/** RFC 2971. */
function readId(cursor: Cursor): Command {
  cursor.space()
  const fields = new Map<string, string>()
  if (cursor.take('NIL')) return { name: 'ID', fields }
  const values = cursor.list(() => cursor.nstring()?.toString('utf8') ?? '')
  for (let at = 0; at < Math.min(values.length, 2 * MAX_FIELDS); at += 2)
    fields.set((values[at] ?? '').toLowerCase(), values[at + 1] ?? '')
  return { name: 'ID', fields }
}

function readAuthenticate(cursor: Cursor): Command {
  cursor.space()
  const mechanism = cursor.word('The name of a mechanism')
  if (!cursor.take(' ')) return { name: 'AUTHENTICATE', mechanism, initial: null }
  return { name: 'AUTHENTICATE', mechanism, initial: cursor.astring().toString('latin1') }
}

function readLogin(cursor: Cursor): Command {
  cursor.space()
  const user = cursor.astring().toString('utf8')
  cursor.space()
  return { name: 'LOGIN', user, password: cursor.astring().toString('utf8') }
}

function readEnable(cursor: Cursor): Command {
  const capabilities: string[] = []
  while (cursor.take(' ')) capabilities.push(cursor.word('A capability'))
  if (capabilities.length === 0) throw new BadSyntax('A capability is missing')
  return { name: 'ENABLE', capabilities }
}

/** RFC 6154 §3. */
function readCreate(cursor: Cursor, { isUtf8 }: ReadingMode): Command {
  cursor.space()
  const mailbox = readMailboxName(cursor, isUtf8)
  if (!cursor.take(' ')) return { name: 'CREATE', mailbox, use: [] }
  cursor.expect('(USE ')
  const use = cursor.list(() => {
    cursor.expect('\\')
    return `\\${cursor.word('A use')}`
  })
  cursor.expect(')')
  return { name: 'CREATE', mailbox, use }
}

function readRename(cursor: Cursor, { isUtf8 }: ReadingMode): Command {
  cursor.space()
  const from = readMailboxName(cursor, isUtf8)
  cursor.space()
  return { name: 'RENAME', from, to: readMailboxName(cursor, isUtf8) }
}

/** RFC 4978. */
function readCompress(cursor: Cursor): Command {
  cursor.space()
  if (cursor.word('An algorithm') !== 'DEFLATE') throw new BadSyntax('COMPRESS knows DEFLATE alone')
  return { name: 'COMPRESS' }
}

function readQuota(name: 'GETQUOTA' | 'GETQUOTAROOT', cursor: Cursor): Command {
  cursor.space()
  return { name, of: cursor.astring().toString('utf8') }
}
