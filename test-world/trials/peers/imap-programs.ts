/**
 * Mail programs from Debian on our IMAP: mbsync carries a mailbox both ways, with changes on both sides between; offlineimap fetches
 * it; neomutt finds and marks a mail; getmail and fetchmail fetch a folder and delete it. Needs the packages isync, offlineimap3,
 * neomutt, getmail6 and fetchmail.
 */
import { X509Certificate } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mailbox } from '#contract/mailboxes.ts'
import { ImapClient } from '../../imap/imap-client.ts'
import { shownCertificate } from '../../imap/shown-certificate.ts'
import type { Product } from '../../product.ts'
import type { Account } from '../account.ts'
import {
  type At,
  differences,
  fill,
  keptIn,
  sumOfBytes,
  sumWithFlags,
  toldByServer,
} from './carried-mails.ts'
import { tryFetchPrograms } from './fetch-programs.ts'
import { run } from './tools.ts'

export type ImapProgramsTrial = { carried: number; faults: string[] }

const PROGRAMS = ['mbsync', 'offlineimap', 'neomutt', 'getmail', 'fetchmail', 'script']

export const tryImapPrograms = async (
  product: Product,
  account: Account,
  mailbox: Mailbox,
  count: number,
): Promise<ImapProgramsTrial> => {
  for (const program of PROGRAMS)
    if ((await run('sh', ['-c', `command -v ${program}`])).code !== 0)
      return {
        carried: 0,
        faults: ['mail programs: apt-get install isync offlineimap3 neomutt getmail6 fetchmail'],
      }
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-programs-'))
  try {
    const { password } = await account.ask('POST', `/mailboxes/${mailbox._id}/app-passwords`, {
      ...{ name: 'Programs', scopes: ['imap'] },
    })
    const at = { port: product.imapsPort, email: mailbox.email, password, folder }
    writeFileSync(join(folder, 'cert.pem'), await shownCertificate(at.port))
    const client = await signedIn(at)
    await fill(client, count)
    const faults = [
      ...(await tryMbsync(at, client)),
      ...(await tryOfflineimap(at, client)),
      ...(await tryNeomutt(at, client)),
      ...(await tryFetchPrograms(at, client)),
    ]
    client.close()
    return { carried: count, faults }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const signedIn = async ({ port, email, password }: At): Promise<ImapClient> => {
  const client = await ImapClient.connect(port)
  await client.until('* OK')
  await client.ok(`LOGIN ${email} ${password}`)
  return client
}

const tryMbsync = async (at: At, client: ImapClient): Promise<string[]> => {
  const { port, email, password, folder } = at
  const maildir = join(folder, 'mbsync', 'Inbox')
  mkdirSync(join(folder, 'mbsync'))
  const rc = join(folder, 'mbsyncrc')
  writeFileSync(
    rc,
    `IMAPAccount a\nHost 127.0.0.1\nPort ${port}\nUser ${email}\nPass ${password}\nSSLType IMAPS\nCertificateFile ${folder}/cert.pem\nAuthMechs *\n\n` +
      `IMAPStore far\nAccount a\n\nMaildirStore near\nPath ${folder}/mbsync/\nInbox ${maildir}\nSubFolders Verbatim\n\n` +
      'Channel c\nFar :far:\nNear :near:\nPatterns *\nCreate Both\nExpunge Both\nSyncState *\n',
  )
  const sync = async (what: string): Promise<string[]> => {
    const { code, said } = await run('mbsync', ['-c', rc, '-a'])
    if (code !== 0) return [`mbsync ended with ${code}, ${what}: ${said.slice(-300)}`]
    const theirs = keptIn(maildir, sumWithFlags)
    return differences(`mbsync, ${what}`, await toldByServer(client, 'INBOX', sumWithFlags), theirs)
  }
  const faults = await sync('the first time')
  for (const round of ['once', 'twice']) {
    changeLocally(maildir)
    await client.ok('STORE 3:5 +FLAGS.SILENT (\\Flagged \\Answered)')
    await client.ok('STORE 7 +FLAGS.SILENT (\\Deleted)')
    await client.ok('EXPUNGE')
    const raw = `Subject: from afar, ${round}\r\n\r\nHello\r\n`
    await client.ok(`APPEND INBOX {${raw.length}+}\r\n${raw}`)
    faults.push(...(await sync(`changed on both sides ${round}`)))
  }
  return faults
}

/** Reads three, deletes two and writes three. */
const changeLocally = (maildir: string): void => {
  const [fresh, kept] = [join(maildir, 'new'), join(maildir, 'cur')]
  const names = readdirSync(kept)
    .filter((name) => name.endsWith(':2,'))
    .toSorted()
  const unread = [
    ...readdirSync(fresh)
      .toSorted()
      .map((name) => join(fresh, name)),
    ...names.map((name) => join(kept, name)),
  ]
  for (const path of unread.slice(0, 3))
    renameSync(path, join(kept, `${(path.split('/').at(-1) ?? '').split(':')[0]}:2,FS`))
  for (const path of unread.slice(3, 5)) rmSync(path)
  for (let n = 0; n < 3; n++) {
    const name = `${Date.now()}.${n}.here`
    writeFileSync(join(fresh, name), `Subject: written here ${name}\n\nHello\n`)
  }
}

const tryOfflineimap = async (
  { port, email, password, folder }: At,
  client: ImapClient,
): Promise<string[]> => {
  const rc = join(folder, 'offlineimaprc')
  const pem = readFileSync(join(folder, 'cert.pem'))
  const print = new X509Certificate(pem).fingerprint.replaceAll(':', '').toLowerCase()
  writeFileSync(
    rc,
    `[general]\naccounts = a\nui = quiet\nmetadata = ${folder}/offlineimap-state\n[Account a]\nlocalrepository = L\nremoterepository = R\n` +
      `[Repository L]\ntype = Maildir\nlocalfolders = ${folder}/offlineimap\n[Repository R]\ntype = IMAP\nremotehost = 127.0.0.1\n` +
      `remoteport = ${port}\nremoteuser = ${email}\nremotepass = ${password}\nssl = yes\ncert_fingerprint = ${print}\n`,
  )
  const { code, said } = await run('offlineimap', ['-c', rc, '-o'])
  if (code !== 0) return [`offlineimap ended with ${code}: ${said.slice(-300)}`]
  // It mends the boundaries of broken multiparts, so its mails are counted, and not compared.
  const kept = keptIn(join(folder, 'offlineimap', 'INBOX'), sumOfBytes).length
  const there = (await toldByServer(client, 'INBOX', sumOfBytes)).length
  return kept === there ? [] : [`offlineimap has ${kept} of ${there} mails`]
}

/** Finds a mail by its subject, and marks it. */
const tryNeomutt = async (
  { port, email, password, folder }: At,
  client: ImapClient,
): Promise<string[]> => {
  const raw = 'Subject: for neomutt\r\n\r\nHello\r\n'
  await client.ok(`APPEND INBOX {${raw.length}+}\r\n${raw}`)
  const rc = join(folder, 'neomuttrc')
  writeFileSync(
    rc,
    `set folder="imaps://127.0.0.1:${port}/"\nset imap_user="${email}"\nset imap_pass="${password}"\nset certificate_file=${folder}/cert.pem\n` +
      'set ssl_verify_host=no\nset spoolfile="+INBOX"\npush "<limit>~s \'for neomutt\'<enter><flag-message><sync-mailbox><quit>"\n',
  )
  await run('script', ['-qc', `neomutt -F ${rc}`, '/dev/null'])
  await client.ok('SELECT INBOX')
  const found = await client.ok('SEARCH FLAGGED SUBJECT "for neomutt"')
  return /SEARCH \d/.test(found.join()) ? [] : ['neomutt did not mark the mail that it looked for']
}
