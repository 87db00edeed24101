import { stopQueued } from '#contract/operator/senders.ts'
import {
  listSenders,
  resumeSender,
  stopSender,
} from '#server/features/operating/senders/senders.ts'
import { TERMINAL } from '#server/features/operators/operators.ts'
import { readOptions } from './options.ts'
import { type Verb, WrongWords } from './verb.ts'

const MOST = 1_000

export const senderVerbs: Record<string, Verb> = {
  'sender list': {
    takes: '[WORDS]',
    does: 'what mailboxes sent in seven days, with bounces and complaints',
    words: [0, 1],
    run: async (app, q = '') => {
      const listing = { q, order: 'complaints', direction: 'down', limit: MOST } as const
      const { items, nextCursor } = await listSenders(app, listing)
      return {
        head: ['sender', 'workspace', 'sent', 'bounced', 'share', 'complaints', 'stopped', 'for'],
        rows: items.map((each) => [
          ...[each.email, each.workspaceName, each.sent, each.bounced],
          ...[bounceShare(each), each.complaints, each.stoppedAt && new Date(each.stoppedAt)],
          each.stoppedAt === null ? '' : (each.stoppedFor ?? 'bounces'),
        ]),
        none: 'Nothing was sent in seven days.',
        hasMore: nextCursor !== null,
      }
    },
  },
  'sender stop': {
    takes: 'ADDRESS REASON [--queued hold|drop]',
    does: 'stops what a mailbox sends; its Admins read the reason',
    words: [2, 4],
    run: async (app, ...typed) => {
      const { words, options } = readOptions(typed, ['queued'])
      const [address = '', reason = ''] = words
      const queued = stopQueued.safeParse(options.queued ?? 'hold')
      if (!queued.success) throw new WrongWords('--queued is followed by hold or drop.')
      const text = reason.trim().slice(0, 500)
      if (text === '') throw new WrongWords('Please give a reason; the workspace reads it.')
      const how = { reason: text, queued: queued.data }
      const { email } = await stopSender(app, TERMINAL, address, how)
      const rest = queued.data === 'drop' ? 'What waited is dropped.' : 'What waits is held back.'
      return `${email} sends nothing to others any more. ${rest}`
    },
  },
  'sender resume': {
    takes: 'ADDRESS',
    does: 'lets it send again; what waits is tried at once',
    words: [1, 1],
    run: async (app, address = '') =>
      `${(await resumeSender(app, TERMINAL, address)).email} sends again.`,
  },
}

const bounceShare = ({ sent, bounced }: { sent: number; bounced: number }): string =>
  sent === 0 ? '-' : `${Math.min(100, Math.round((100 * bounced) / sent))}%`
