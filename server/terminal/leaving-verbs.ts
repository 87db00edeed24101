/** What takes everything out, or away: of a workspace, or of a person. */
import { exportAccountTo } from '#server/features/exports/account-archive.ts'
import { exportWorkspaceTo } from '#server/features/exports/export-to-file.ts'
import { findAccount } from '#server/features/operating/accounts.ts'
import {
  deleteAccount,
  lastAdmin,
  previewAccountEnd,
} from '#server/features/operating/delete-account.ts'
import {
  deleteAsOperator,
  previewOperatedDeletion,
  whatEnds,
} from '#server/features/operating/delete-workspace.ts'
import { findWorkspaceId } from '#server/features/operating/workspaces.ts'
import { TERMINAL } from '#server/features/operators/operators.ts'
import { timeText } from '#server/lib/clock.ts'
import { sizeText } from '#server/lib/size-text.ts'
import { confirmed } from './confirmed.ts'
import { readOptions } from './options.ts'
import { type TerminalApp, type Verb, WrongWords } from './verb.ts'

export const leavingVerbs: Record<string, Verb> = {
  'workspace export': {
    takes: 'NAME|ID DIR|FILE',
    does: 'everything of it as one zip file, with all mail; its Admins are told',
    words: [2, 2],
    run: async (app, name = '', where = '') => {
      const id = await findWorkspaceId(app.db, name)
      const done = await exportWorkspaceTo(app, TERMINAL, id, where)
      return [
        `${done.path} has everything of ${done.name}: ${done.messages} messages, ${sizeText(done.bytes)}.`,
        'Its Admins get a mail, and the access log of each mailbox says so.',
      ].join('\n')
    },
  },
  'workspace delete': {
    takes: 'NAME|ID [--now] [--yes NAME]',
    does: 'asks, and deletes it: it ends after 14 days, or at once; its Admins get a receipt',
    words: [1, 4],
    run: (app, ...typed) => deleteWorkspace(app, typed),
  },
  'user export': {
    takes: 'ADDRESS DIR|FILE',
    does: 'what is known of an account as one zip file; mail is with its workspace',
    words: [2, 2],
    run: async (app, address = '', where = '') => {
      const account = await findAccount(app.db, address)
      const { path, bytes } = await exportAccountTo(app, TERMINAL, account, where)
      return `${path} has what is known of ${account.email}, ${sizeText(bytes)}.`
    },
  },
  'user delete': {
    takes: 'ADDRESS [--yes ADDRESS]',
    does: 'asks, and deletes an account for good; the last Admin of a workspace is not deleted',
    words: [1, 3],
    run: (app, ...typed) => deleteUser(app, typed),
  },
}

const deleteWorkspace = async (app: TerminalApp, typed: string[]): Promise<string> => {
  const { words, options, flags } = readOptions(typed, ['yes'], { flags: ['now'], mostWords: 1 })
  const [wanted = ''] = words
  const isNow = flags.has('now')
  const id = await findWorkspaceId(app.db, wanted)
  const counted = await previewOperatedDeletion(app, id)
  if (counted.deletedUntil !== null && !isNow)
    throw new WrongWords(
      `${counted.name} was deleted, and ends on ${counted.deletedUntil.slice(0, 10)}. To erase it at once, add --now.`,
    )
  const when = isNow
    ? 'It is erased at once. Nothing of it can be taken back: only a backup may have it.'
    : `It ends on ${counted.endsAt === null ? '' : timeText(new Date(counted.endsAt))}. Until then it works as before, and an Admin can take it back; after that nobody can.`
  const lines = [`This deletes ${counted.name}: ${whatEnds(counted)}.`, when]
  const name = await confirmed(app, { lines, name: counted.name, yes: options.yes })
  const receipt = await deleteAsOperator(app, TERMINAL, id, { name, isNow })
  return [
    ...receipt.lines,
    ...(isNow ? ['Mailstead erases it within a minute, or when it is started.'] : []),
    `Receipt ${receipt._id}, ${timeText(new Date(receipt.at))}, mailed to ${receipt.mailedTo} Admins.`,
  ].join('\n')
}

const deleteUser = async (app: TerminalApp, typed: string[]): Promise<string> => {
  const { words, options } = readOptions(typed, ['yes'], { mostWords: 1 })
  const [wanted = ''] = words
  const end = await previewAccountEnd(app.db, wanted)
  if (end.places.some(({ isLastAdmin }) => isLastAdmin)) throw new WrongWords(lastAdmin(end))
  const places = end.places.map(({ name, role }) => `${name} (${role})`).join(', ')
  const lines = [
    `This deletes the account ${end.email} of ${end.name || 'nobody with a name'} for good.`,
    places === ''
      ? 'It is in no workspace.'
      : `It leaves: ${places}. Invitations, links and rights that came with it end.`,
    'Mailboxes and their mail stay. It cannot be taken back.',
  ]
  const name = await confirmed(app, { lines, name: end.email, yes: options.yes })
  const { receipt } = await deleteAccount(app, TERMINAL, wanted, name)
  return `${end.email} is deleted. Receipt ${receipt}, mailed to that address and to the Admins of its workspaces.`
}
