import type { QueueChange, QueueTarget } from '#contract/operator/queue.ts'
import { changeQueue, listQueue, showQueue } from '#server/features/operating/queue.ts'
import { findWorkspaceId } from '#server/features/operating/workspaces.ts'
import { type OperatorApp, TERMINAL } from '#server/features/operators/operators.ts'
import { isId } from '#server/lib/ids.ts'
import type { Verb } from './verb.ts'

const MOST = 1_000
const WHICH = 'DOMAIN|SENDER|ID|workspace:NAME'

const done: Record<QueueChange, string> = {
  retry: 'tried at once',
  hold: 'held back until they are released',
  release: 'released and tried at once',
  drop: 'dropped; nobody is told but their senders, in the steps of each message',
}

const changeVerb = (change: QueueChange, does: string): Verb => ({
  ...{ takes: WHICH, does, words: [1, 1] },
  run: async (app, which = '') => {
    const count = await changeQueue(app, TERMINAL, change, await targetOf(app, which))
    return count === 0
      ? 'No delivery of these waits.'
      : `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} ${done[change]}.`
  },
})

export const queueVerbs: Record<string, Verb> = {
  'queue list': {
    takes: '',
    does: 'what waits, by destination and reason',
    words: [0, 0],
    run: async (app) => ({
      head: ['destination', 'waiting', 'held', 'oldest', 'next try', 'reason'],
      rows: (await listQueue(app)).items.map((each) => [
        ...[each.destination, each.count, each.held, new Date(each.oldestAt)],
        ...[new Date(each.nextAttemptAt), each.reason],
      ]),
      none: 'Nothing waits.',
    }),
  },
  'queue show': {
    takes: `[${WHICH}]`,
    does: 'the deliveries that wait: all, or to a domain, of a sender, of a workspace, or one',
    words: [0, 1],
    run: async (app, which) => {
      const target = which === undefined ? null : await targetOf(app, which)
      const { items, nextCursor } = await showQueue(app, target, { limit: MOST })
      return {
        head: ['queued', 'state', 'from', 'to', 'workspace', 'tries', 'next try', 'reason', 'id'],
        rows: items.map((each) => [
          ...[new Date(each.createdAt), each.state, each.mailFrom, each.recipient],
          ...[
            each.workspaceName,
            each.attempts,
            new Date(each.nextAttemptAt),
            each.reason,
            each._id,
          ],
        ]),
        none: 'Nothing of this waits.',
        hasMore: nextCursor !== null,
      }
    },
  },
  'queue retry': changeVerb('retry', 'tries them at once'),
  'queue hold': changeVerb('hold', 'holds them back'),
  'queue release': changeVerb('release', 'lets go what was held back'),
  'queue drop': changeVerb('drop', 'gives them up, without a bounce'),
}

/** @throws NOT_EXISTS for a workspace that is not there */
const targetOf = async (app: OperatorApp, which: string): Promise<QueueTarget> => {
  if (which.startsWith('workspace:'))
    return {
      by: 'workspace',
      value: await findWorkspaceId(app.db, which.slice('workspace:'.length)),
    }
  if (isId(which)) return { by: 'delivery', value: which }
  return { by: which.includes('@') ? 'sender' : 'destination', value: which }
}
