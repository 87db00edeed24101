/** What this server can do, as clients are told (RFC 9051 §7.2.2). */
import { MAX_MESSAGE_BYTES } from '#contract/fields.ts'
import type { Session } from './session.ts'

/** Told before the sign-in as well: some programs never ask again. */
const always = [
  ...['IMAP4rev1', 'IMAP4rev2', 'LITERAL+', 'SASL-IR', 'ID', 'ENABLE', 'IDLE', 'NAMESPACE'],
  ...['UNSELECT', 'UIDPLUS', 'MOVE', 'SPECIAL-USE', 'CREATE-SPECIAL-USE', 'CHILDREN'],
  ...['LIST-EXTENDED', 'LIST-STATUS', 'STATUS=SIZE', 'ESEARCH', 'SEARCHRES', 'CONDSTORE'],
  ...['QRESYNC', 'BINARY', 'SORT', 'SORT=DISPLAY', 'THREAD=REFERENCES', 'MULTIAPPEND'],
  ...['OBJECTID', 'SAVEDATE', 'PREVIEW', 'WITHIN', 'QUOTA', 'QUOTA=RES-STORAGE'],
  ...[`APPENDLIMIT=${MAX_MESSAGE_BYTES}`, 'UTF8=ACCEPT', 'PARTIAL', 'REPLACE', 'NOTIFY'],
  ...['COMPRESS=DEFLATE'],
]

export const enableable: ReadonlySet<string> = new Set([
  ...['CONDSTORE', 'QRESYNC', 'UTF8=ACCEPT', 'IMAP4REV2'],
])

export const capabilitiesOf = ({ isSecure, signIn }: Session): string => {
  const open = isSecure ? ['AUTH=PLAIN', 'AUTH=LOGIN'] : ['STARTTLS', 'LOGINDISABLED']
  return [...always, ...(signIn === null ? open : [])].join(' ')
}
