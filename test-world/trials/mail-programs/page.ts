/** A page of the browser, by its calls: it lists, marks, moves and deletes, and knows how much is in each folder. */
import type { FastifyInstance } from 'fastify'
import type { Folder } from '#contract/messages.ts'
import { type ApiAnswer, type ApiClient, anApiClient } from '../../api-client.ts'
import type { Mailbox } from '../../builders.ts'
import type { Chance } from '../seeded.ts'

export type Page = {
  act(): Promise<void>
  /** `messages unread` of each folder, by its id. */
  known(): Promise<Record<string, string>>
  faults: string[]
}

const FOLDERS = ['inbox', 'archive', 'sent', 'trash'] as const

/** `headers`: of a session that has not ended. */
export const aPage = (
  server: FastifyInstance,
  { id }: Pick<Mailbox, 'id'>,
  chance: Chance,
  headers: () => Promise<Record<string, string>>,
): Page => {
  const faults: string[] = []
  let client: ApiClient | null = null
  const call = async (method: string, path: string, body?: unknown): Promise<ApiAnswer> => {
    client ??= anApiClient(server, await headers())
    const answer = await client.call(method, `/mailboxes/${id}${path}`, body)
    if (answer.status === 401) {
      client = anApiClient(server, await headers())
      return client.call(method, `/mailboxes/${id}${path}`, body)
    }
    // Somebody else was faster.
    if (answer.status > 299 && answer.status !== 404 && answer.status !== 409)
      faults.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }
  const someMessages = async (): Promise<string[]> => {
    const { body } = await call('GET', `/messages?folder=${chance.oneOf(FOLDERS)}&limit=20`)
    const items: { _id: string }[] = body.items ?? []
    const from = chance.between(0, Math.max(0, items.length - 1))
    return items.slice(from, from + chance.between(1, 3)).map(({ _id }) => _id)
  }
  const isSo = () => chance.between(0, 1) === 0
  return {
    act: async () => {
      const messages = await someMessages()
      const [first] = messages
      if (first === undefined) return
      const acts = [
        () => call('GET', `/messages/${first}`),
        () => call('PATCH', `/messages/${first}`, { isRead: isSo(), isStarred: isSo() }),
        () => call('PATCH', `/messages/${first}`, { folder: chance.oneOf(['inbox', 'archive']) }),
        () => call('POST', '/changes', { messages, isRead: isSo() }),
        () => call('POST', '/changes', { messages, folder: chance.oneOf(FOLDERS) }),
        () => call('DELETE', `/messages/${first}`),
      ]
      await acts[chance.between(0, acts.length - 1)]?.()
    },
    known: async () => {
      const { body } = await call('GET', '/folders')
      return Object.fromEntries(
        (body as Folder[]).map((each) => [each._id, `${each.messages} ${each.unread}`]),
      )
    },
    faults,
  }
}
