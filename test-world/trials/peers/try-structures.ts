/** Compares what we tell of mails of every kind with what Dovecot tells: ENVELOPE and BODYSTRUCTURE of each. */
import { readStructure } from '#server/standards/mime/structure/read-structure.ts'
import { mailsWithFiles } from '../../real-mail/files.ts'
import { letters } from '../../real-mail/letters.ts'
import { type ImapValue, isDovecotHere, type Told, toldByDovecot } from './dovecot.ts'
import { toldByUs } from './imap-values.ts'

export type StructuresTrial = { compared: number; faults: string[] }

/** Where we tell other things, and why. */
const chosen: Record<string, string> = {
  'a mail that was forwarded twice':
    'the line end before a delimiter belongs to it, after an inner end too',
  'bytes inside of an encoded word': 'raw bytes are read as letters, here and in web mail',
  'a subject in windows-1252 without a label':
    'raw bytes are read as letters, here and in web mail',
  'two subjects and two dates': 'the first counts, here and in web mail',
  'a multipart without a boundary':
    'all of it is shown (decision 045), where Dovecot shows an empty part',
  'a multipart whose boundary never comes': 'all of it is shown (decision 045)',
  'a type that is no type': 'it is text/plain, where Dovecot leaves the subtype empty',
}

export const tryStructures = (): StructuresTrial => {
  if (!isDovecotHere())
    return {
      compared: 0,
      faults: ['structures were not compared: apt-get install dovecot-imapd, and root'],
    }
  const kinds = [...mailsWithFiles, ...letters]
  const told = toldByDovecot(kinds.map(({ raw }) => raw))
  const faults: string[] = []
  for (const [n, { name, raw }] of kinds.entries()) {
    const [ours, theirs] = [comparable(toldByUs(readStructure(raw))), comparable(told[n])]
    if (ours !== theirs && !(name in chosen))
      faults.push(`${name}: we tell ${ours}, Dovecot ${theirs}`)
    if (ours === theirs && name in chosen)
      faults.push(`${name} is told as by Dovecot: no reason is needed`)
  }
  return { compared: kinds.length, faults }
}

/** Without what may differ: case, white space, and the charset that Dovecot adds where none is named. */
const comparable = (told: Told | undefined): string =>
  JSON.stringify(plain(told === undefined ? null : [told.envelope, told.structure]))
    .replaceAll('["charset","us-ascii"]', 'null')
    .replaceAll(',"charset","us-ascii"]', ']')

const plain = (value: ImapValue): ImapValue => {
  if (Array.isArray(value)) return value.map(plain)
  return value === null ? null : value.replace(/\s+/g, ' ').trim().toLowerCase()
}
