/** Dovecot's opinion of mails: ENVELOPE and BODYSTRUCTURE of each, by its IMAP server on a Maildir. Needs dovecot-imapd and root. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type ImapValue = string | null | ImapValue[]
export type Told = { envelope: ImapValue[]; structure: ImapValue[] }

const ASKED = 'a select inbox\r\nb fetch 1:* (ENVELOPE BODYSTRUCTURE)\r\nc logout\r\n'
const SERVER = '/usr/lib/dovecot/imap'

export const isDovecotHere = (): boolean => existsSync(SERVER) && process.getuid?.() === 0

/** In the order of the mails. */
export const toldByDovecot = (mails: readonly Buffer[]): Told[] => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-dovecot-'))
  const at = (name: string) => join(folder, name)
  try {
    chmodSync(folder, 0o755)
    for (const name of ['run', 'state', 'box', 'box/cur', 'box/new', 'box/tmp']) mkdirSync(at(name))
    for (const [n, raw] of mails.entries())
      writeFileSync(at(`box/cur/${1_000_000 + n}.M1P1.here:2,S`), raw)
    const idOf = (flag: string) => Number(execFileSync('id', [flag, 'dovecot']).toString())
    const [user, group] = [idOf('-u'), idOf('-g')]
    for (const name of ['run', 'state', 'box', 'box/cur', 'box/new', 'box/tmp'])
      chownSync(at(name), user, group)
    writeFileSync(at('conf'), settings(folder))
    writeFileSync(at('asked'), ASKED)
    // Through pipes: it takes the sockets of Node for inetd, and refuses.
    const ran = spawnSync('sh', ['-c', `cat asked | ${SERVER} -c conf | cat > told`], {
      ...{ cwd: folder, timeout: 120_000, env: { ...process.env, USER: 'ada', HOME: folder } },
    })
    if (ran.status !== 0) throw new Error(`Dovecot ended with ${ran.status}: ${ran.stderr}`)
    return toldIn(readFileSync(at('told')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const settings = (folder: string): string => `
protocols = imap
ssl = no
mail_location = maildir:${folder}/box
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
mail_uid = dovecot
mail_gid = dovecot
first_valid_uid = 1
first_valid_gid = 1
`

const toldIn = (said: Buffer): Told[] => {
  const text = said.toString('latin1')
  const told: Told[] = []
  const fetched = /^\* (\d+) FETCH /gm
  for (let found = fetched.exec(text); found !== null; found = fetched.exec(text)) {
    const { value, end } = valueAt(text, found.index + found[0].length)
    const [, envelope, , structure] = value as [string, ImapValue[], string, ImapValue[]]
    told[Number(found[1]) - 1] = { envelope, structure }
    fetched.lastIndex = end
  }
  return told
}

/** A list, a quoted string, a literal, NIL or an atom (RFC 9051 §4). Texts are UTF-8. */
const valueAt = (text: string, at: number): { value: ImapValue; end: number } => {
  const letter = text[at]
  if (letter === '(') {
    const values: ImapValue[] = []
    let next = at + 1
    while (text[next] !== ')') {
      if (next >= text.length) throw new Error('a list of Dovecot does not end')
      if (text[next] === ' ') next += 1
      else {
        const { value, end } = valueAt(text, next)
        values.push(value)
        next = end
      }
    }
    return { value: values, end: next + 1 }
  }
  if (letter === '"') {
    const [quoted = ''] = /^"(?:[^"\\]|\\.)*"/s.exec(text.slice(at, at + 100_000)) ?? []
    const value = quoted.slice(1, -1).replace(/\\(.)/gs, '$1')
    return { value: utf8Of(value), end: at + quoted.length }
  }
  const [literal = '', size = '0'] = /^\{(\d+)\}\r\n/.exec(text.slice(at, at + 20)) ?? []
  if (literal !== '') {
    const start = at + literal.length
    const end = start + Number(size)
    return { value: utf8Of(text.slice(start, end)), end }
  }
  const [atom = ''] = /^[^\s()]+/.exec(text.slice(at, at + 1_000)) ?? []
  if (atom === '') throw new Error('Dovecot said what is no value')
  return { value: atom === 'NIL' ? null : atom, end: at + atom.length }
}

const utf8Of = (text: string): string => Buffer.from(text, 'latin1').toString()
