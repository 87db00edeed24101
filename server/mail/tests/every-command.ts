/** One line for each command of the IMAP door: what a program says, and what the command needs before it does anything. */
export type Line = {
  needs: 'nothing' | 'sign-in' | 'folder'
  /** `folder`: one of the mailbox's own, beside its Inbox. `mark`: a word that stands in all of its mail. */
  say(on: { folder: string; mark: string }): string
  /** What the reader of the mailbox is answered, with a folder open; OK where it is not said. */
  ends?: 'NO' | 'BAD'
}

type On = Parameters<Line['say']>[0]

const literal = ({ mark }: On): string => {
  const raw = `Subject: ${mark}\r\n\r\n${mark}\r\n`
  return `{${raw.length}+}\r\n${raw}`
}
const atOnce = (text: string): Line => ({ needs: 'nothing', say: () => text })
const signedIn = (say: Line['say']): Line => ({ needs: 'sign-in', say })
const inFolder = (say: Line['say']): Line => ({ needs: 'folder', say })

/** In an order in which each has something to work on: one message is in the Inbox. */
export const everyCommand: Record<string, Line> = {
  CAPABILITY: atOnce('CAPABILITY'),
  NOOP: atOnce('NOOP'),
  CHECK: atOnce('CHECK'),
  ID: atOnce('ID ("name" "Program")'),
  STARTTLS: { ...atOnce('STARTTLS'), ends: 'BAD' },
  LOGIN: { ...atOnce('LOGIN nobody@nowhere.example nothing'), ends: 'NO' },
  AUTHENTICATE: { ...atOnce('AUTHENTICATE PLAIN AG5vYm9keQBub3RoaW5n'), ends: 'NO' },
  ENABLE: signedIn(() => 'ENABLE CONDSTORE'),
  COMPRESS: signedIn(() => 'COMPRESS DEFLATE'),
  NAMESPACE: signedIn(() => 'NAMESPACE'),
  IDLE: signedIn(() => 'IDLE'),
  NOTIFY: signedIn(() => 'NOTIFY SET STATUS (personal (MessageNew MessageExpunge))'),
  GETQUOTA: signedIn(() => 'GETQUOTA ""'),
  GETQUOTAROOT: signedIn(({ folder }) => `GETQUOTAROOT ${folder}`),
  LIST: signedIn(() => 'LIST "" "*" RETURN (STATUS (MESSAGES SIZE))'),
  LSUB: signedIn(() => 'LSUB "" "*"'),
  STATUS: signedIn(({ folder }) => `STATUS ${folder} (MESSAGES SIZE UIDNEXT)`),
  SELECT: signedIn(({ folder }) => `SELECT ${folder}`),
  EXAMINE: signedIn(({ folder }) => `EXAMINE ${folder}`),
  SEARCH: inFolder(({ mark }) => `SEARCH TEXT ${mark}`),
  'UID SEARCH': inFolder(({ mark }) => `UID SEARCH SUBJECT ${mark}`),
  SORT: inFolder(() => 'SORT (SUBJECT) UTF-8 ALL'),
  'UID SORT': inFolder(() => 'UID SORT (ARRIVAL) UTF-8 ALL'),
  THREAD: inFolder(() => 'THREAD REFERENCES UTF-8 ALL'),
  'UID THREAD': inFolder(() => 'UID THREAD REFERENCES UTF-8 ALL'),
  FETCH: inFolder(() => 'FETCH 1 (FLAGS ENVELOPE BODY[])'),
  'UID FETCH': inFolder(() => 'UID FETCH 1:* (PREVIEW BODYSTRUCTURE BODY.PEEK[TEXT])'),
  STORE: inFolder(() => 'STORE 1 +FLAGS ($Work)'),
  'UID STORE': inFolder(() => 'UID STORE 1 -FLAGS ($Work \\Seen)'),
  APPEND: signedIn((on) => `APPEND INBOX (\\Seen) ${literal(on)}`),
  REPLACE: inFolder((on) => `REPLACE 1 INBOX ${literal(on)}`),
  'UID REPLACE': inFolder((on) => `UID REPLACE 2 INBOX ${literal(on)}`),
  COPY: inFolder(({ folder }) => `COPY 1 ${folder}`),

  'UID COPY': inFolder(({ folder }) => `UID COPY 1:* ${folder}`),
  MOVE: inFolder(({ folder }) => `MOVE 1 ${folder}`),
  'UID MOVE': inFolder(({ folder }) => `UID MOVE 1:* ${folder}`),
  SUBSCRIBE: signedIn(({ folder }) => `SUBSCRIBE ${folder}`),
  UNSUBSCRIBE: signedIn(({ folder }) => `UNSUBSCRIBE ${folder}`),
  CREATE: signedIn(({ folder }) => `CREATE ${folder}/inner`),
  RENAME: signedIn(({ folder }) => `RENAME ${folder}/inner ${folder}/other`),
  DELETE: signedIn(({ folder }) => `DELETE ${folder}/other`),
  EXPUNGE: inFolder(() => 'EXPUNGE'),
  'UID EXPUNGE': inFolder(() => 'UID EXPUNGE 1:*'),
  UNSELECT: inFolder(() => 'UNSELECT'),
  CLOSE: inFolder(() => 'CLOSE'),
  LOGOUT: atOnce('LOGOUT'),
}
