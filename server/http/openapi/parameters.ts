/** The parameters of an operation: those of its path, its query and its headers. */
import type { z } from 'zod'
import { IDEMPOTENCY_HEADER } from '#contract/billing.ts'
import { type Route, WORKSPACE_HEADER } from '#contract/route.ts'
import { exampleOf } from './examples.ts'
import type { Schemas } from './schemas.ts'

/** What `{id}` names, by the first word of a path. */
const objects: Record<string, string> = {
  domains: 'the domain',
  'dns-records': 'the domain',
  'dns-links': 'the link',
  'domain-ownership': 'the domain',
  mailboxes: 'the mailbox',
  workspaces: 'the workspace',
  members: 'the member: the id of their account',
  invitations: 'the invitation',
  invoices: 'the invoice or credit note',
  deleted: 'what was deleted',
  views: 'the saved view',
  webhooks: 'the webhook',
  announcements: 'the announcement',
  'workspace-exports': 'the archive',
  'sandbox-dns': 'the domain',
  operator: 'what the path names',
}

const others: Record<string, string> = {
  messageId: 'The `_id` of the message.',
  n: 'The number of the attachment: `n` in the message.',
  folderId: 'The `_id` of the folder.',
  aliasId: 'The `_id` of the alias.',
  userId: 'The `_id` of the person.',
  appPasswordId: 'The `_id` of the app password.',
  attemptId: 'The `_id` of the attempt.',
  changeId: 'The `_id` that the change answered.',
  exportId: 'The `_id` of the export.',
  importId: 'The `_id` of the import.',
  senderId: 'The `_id` of the sender.',
  uploadId: 'The `_id` of the file.',
  recordId: 'The `id` of the record.',
  token: 'The token of the link, which is good once.',
  start: 'The first byte of the piece within the file.',
  mistake: 'The name of the mistake.',
}

const ofPath = (name: string, route: Route): string => {
  const first = route.path.split('/')[1] ?? ''
  if (name === 'id') return `The \`_id\` of ${objects[first] ?? 'the object'}.`
  return others[name] ?? `Which ${name.replace(/Id$/, '')} of the object.`
}

const fromShape = (
  shape: z.ZodObject | undefined,
  describe: (name: string, field: z.ZodType, description?: string) => object,
  schemas: Schemas,
) =>
  Object.entries(shape?.shape ?? {}).map(([name, field]) => {
    const { description, ...schema } = schemas.of(field as z.ZodType, 'input')
    const example = exampleOf(schema, schemas.components, name)
    return { name, ...describe(name, field as z.ZodType, description), schema, example }
  })

const ofQuery: Record<string, string> = {
  limit: 'How many items a page has at most.',
  cursor: 'The `nextCursor` of the page before; absent: the first page.',
  q: 'Words to search for.',
  folder: 'The role of a folder, such as `inbox`, or its `_id`.',
}

/** The header of the workspace, for every operation that knows its caller. */
const workspaceHeader = {
  name: 'X-Workspace-Id',
  in: 'header',
  required: false,
  description: 'The workspace of the request. Absent: the one that the caller switched to last.',
  schema: { type: 'string', format: 'uuid' },
  example: exampleOf({ type: 'string', format: 'uuid' }, {}, 'workspaceId'),
}

const idempotencyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A value of your own for this request. Sent again with the same body, the request changes nothing more and gets the first answer.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
  example: '4f9f1c1e-onboarding-12',
}

export const sharedParameters = {
  [WORKSPACE_HEADER]: workspaceHeader,
  [IDEMPOTENCY_HEADER]: idempotencyHeader,
}
const shared = (name: keyof typeof sharedParameters) => ({
  $ref: `#/components/parameters/${name}`,
})

/** Which requests may carry a key that makes repeating them safe. */
export const takesIdempotencyKey = ({ method, access, contentType }: Route): boolean =>
  method === 'POST' && access !== 'anyone' && contentType === undefined

export const parametersOf = (route: Route, schemas: Schemas): object[] => [
  ...fromShape(
    route.params,
    (name) => ({ in: 'path', required: true, description: ofPath(name, route) }),
    schemas,
  ),
  ...fromShape(
    route.query,
    (name, field, description) => ({
      in: 'query',
      required: !field.safeParse(undefined).success,
      description: description ?? ofQuery[name] ?? `Narrows the answer by ${name}.`,
    }),
    schemas,
  ),
  ...(route.access === 'anyone' ? [] : [shared(WORKSPACE_HEADER)]),
  ...(takesIdempotencyKey(route) ? [shared(IDEMPOTENCY_HEADER)] : []),
]
