import type { OperatedMailbox } from '#contract/operator/mailboxes.ts'
import { listMailboxes, showMailbox } from '#server/features/operating/mailboxes.ts'
import type { OperatorApp } from '#server/features/operators/operators.ts'
import { sizeText } from '#server/lib/size-text.ts'
import type { Answer, Table } from './answers.ts'
import type { Verb } from './verb.ts'

const MOST = 1_000

export const mailboxVerbs: Record<string, Verb> = {
  'mailbox list': {
    takes: '[WORDS]',
    does: 'all mailboxes, or those with the words in the address or the name',
    words: [0, 1],
    run: async (app, q = '') => {
      const listing = { q, order: 'created', direction: 'down', limit: MOST } as const
      const { items, nextCursor } = await listMailboxes(app, listing)
      return { ...mailboxTable(items), hasMore: nextCursor !== null }
    },
  },
  'mailbox show': {
    takes: 'ADDRESS|ID',
    does: 'one mailbox: who uses it, its addresses, and how much is in it',
    words: [1, 1],
    run: (app, wanted = '') => shown(app, wanted),
  },
}

const mailboxTable = (items: readonly OperatedMailbox[]): Table => ({
  head: ['address', 'name', 'workspace', 'state', 'used', 'made', 'id'],
  rows: items.map((each) => [
    ...[each.email, each.name, each.workspaceName, stateOf(each), sizeText(each.usedBytes)],
    ...[new Date(each.createdAt), each._id],
  ]),
  none: 'No mailbox.',
})

const stateOf = ({ status, endsAt }: OperatedMailbox): string =>
  endsAt === null ? status : `deleted, ends ${endsAt.slice(0, 10)}`

const shown = async (app: OperatorApp, wanted: string): Promise<Answer> => {
  const mailbox = await showMailbox(app, wanted)
  const { holder, lastProgramUseAt } = mailbox
  const use: Table = {
    head: ['holder', 'last sign-in', 'readers', 'app passwords', 'last use by a program'],
    rows: [
      [
        ...[holder?.name ?? null, holder?.lastLoginAt ? new Date(holder.lastLoginAt) : null],
        ...[mailbox.readers, mailbox.appPasswords],
        lastProgramUseAt && new Date(lastProgramUseAt),
      ],
    ],
    none: '',
  }
  const mail: Table = {
    head: ['folders', 'messages', 'sent 24 h', 'bounced 24 h'],
    rows: [[mailbox.folders, mailbox.messages, mailbox.sent, mailbox.bounced]],
    none: '',
  }
  const addresses: Table = {
    head: ['address', 'is'],
    rows: [
      ...mailbox.aliases.map((email) => [email, 'alias']),
      ...mailbox.catchAllOf.map((name) => [`@${name}`, 'catch-all']),
    ],
    none: 'No other address.',
  }
  return { parts: { mailbox: mailboxTable([mailbox]), use, mail, addresses } }
}
