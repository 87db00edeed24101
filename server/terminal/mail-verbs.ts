import { findMails } from '#server/features/operating/mail-log/find-mails.ts'
import type { Verb } from './verb.ts'

const MOST = 500

export const mailVerbs: Record<string, Verb> = {
  'mail find': {
    takes: 'ADDRESS|DOMAIN [ADDRESS|DOMAIN]',
    does: 'what became of their mails in the last 14 days; with two, of mails from one to the other',
    words: [1, 2],
    run: async (app, ...words) => {
      const { items, nextCursor } = await findMails(app, { q: words.join(' '), limit: MOST })
      return {
        head: ['at', 'outcome', 'from', 'to', 'server', 'times', 'said'],
        rows: items.map(({ at, outcome, from, to, peer, times, reply }) => [
          ...[new Date(at), outcome, from, to, peer, times, reply],
        ]),
        none: 'Nothing is in the log of the last 14 days.',
        hasMore: nextCursor !== null,
      }
    },
  },
}
