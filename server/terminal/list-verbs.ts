import { listAction } from '#contract/operator/lists.ts'
import {
  addListed,
  listListed,
  removeFromList,
} from '#server/features/operating/senders/sender-lists.ts'
import { TERMINAL } from '#server/features/operators/operators.ts'
import { readEnd, readOptions } from './options.ts'
import { type Verb, WrongWords } from './verb.ts'

const MOST = 1_000
const done = { block: 'blocked', allow: 'allowed' } as const

export const listVerbs: Record<string, Verb> = {
  'blocklist list': {
    takes: '[WORDS]',
    does: 'the senders and networks that are blocked or allowed',
    words: [0, 1],
    run: async (app, q = '') => {
      const { items, nextCursor } = await listListed(app, {
        ...{ q, order: 'since', direction: 'down', limit: MOST },
      })
      return {
        head: ['sender', 'is', 'until', 'note', 'by', 'since'],
        rows: items.map(({ value, action, endsAt, note, madeBy, madeAt }) => [
          ...[value, done[action], endsAt === null ? null : new Date(endsAt)],
          ...[note, madeBy, new Date(madeAt)],
        ]),
        none: 'Nobody is blocked or allowed.',
        hasMore: nextCursor !== null,
      }
    },
  },
  'blocklist add': {
    takes: 'SENDER [block|allow] [--until DAY] [--note TEXT]',
    does: 'blocks an IP address, a network, an address or a domain, or allows it',
    words: [1, 6],
    run: async (app, ...typed) => {
      const { words, options } = readOptions(typed, ['until', 'note'])
      const [value = '', asked = 'block', ...more] = words
      const action = listAction.safeParse(asked)
      if (!action.success || more.length > 0)
        throw new WrongWords('A sender is followed by block or allow.')
      const endsAt = options.until === undefined ? null : readEnd(options.until).toISOString()
      const note = (options.note ?? '').trim().slice(0, 200)
      const listed = await addListed(app, TERMINAL, { value, action: action.data, note, endsAt })
      return `${listed.value} is ${done[listed.action]}.`
    },
  },
  'blocklist remove': {
    takes: 'SENDER',
    does: 'takes it off the list',
    words: [1, 1],
    run: async (app, wanted = '') =>
      `${(await removeFromList(app, TERMINAL, wanted)).value} is not listed any more.`,
  },
}
