import { endKey, listKeys } from '#server/features/operating/keys.ts'
import { TERMINAL } from '#server/features/operators/operators.ts'
import type { Verb } from './verb.ts'

export const keyVerbs: Record<string, Verb> = {
  'key list': {
    takes: 'WORKSPACE',
    does: 'the API keys of a workspace and of its people',
    words: [1, 1],
    run: async (app, workspace = '') => ({
      head: ['name', 'of', 'made by', 'may', 'made', 'ends', 'last use', 'from', 'id'],
      rows: (await listKeys(app, workspace)).map((each) => [
        ...[each.name, each.kind, each.email, each.scopes.join(' '), each.createdAt],
        ...[each.expiresAt, each.lastUsedAt, each.lastUsedIp, each.id],
      ]),
      none: 'No API key.',
    }),
  },
  'key end': {
    takes: 'WORKSPACE ID',
    does: 'ends an API key at once',
    words: [2, 2],
    run: async (app, workspace = '', id = '') =>
      `${await endKey(app, TERMINAL, workspace, id)} has ended.`,
  },
}
