/** The names of what a request is about, for the audit log: of the ids in its path and in its body. */
import type { App } from '#server/app.ts'
import { isId } from '#server/lib/ids.ts'
import { type Named, nameFinders } from './names-store.ts'

type World = Pick<App, 'db' | 'clock'>

/** As `PATCH /mailboxes/{id}/aliases/{aliasId}` names them: 'mailboxes' with `id`, 'aliases' with `aliasId`. */
export const kindsIn = (path: string): { kind: string; param: string }[] =>
  [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, kind = '', param = '']) => ({ kind, param }))

const find = async (
  { db, clock }: World,
  workspaceId: string,
  kind: string,
  ids: readonly string[],
): Promise<Named[]> => {
  const known = ids.filter(isId)
  const finder = nameFinders[kind]
  if (finder === undefined || known.length === 0) return []
  return finder(db, { workspaceId, ids: known, now: clock.now() })
}

/** What the path names: 'a@x.example: phone', and what is said of the last part. null: it is not there. */
export const objectInPath = async (
  app: World,
  workspaceId: string,
  path: string,
  params: Record<string, string>,
): Promise<Pick<Named, 'name' | 'facts'> | null> => {
  const found = await Promise.all(
    kindsIn(path).map(({ kind, param }) => find(app, workspaceId, kind, [params[param] ?? ''])),
  )
  const named = found.flatMap((each) => each.slice(0, 1))
  const last = named.at(-1)
  if (last === undefined) return null
  return { name: named.map(({ name }) => name).join(': '), facts: last.facts }
}

/** Kinds of the ids in fields of bodies; those of `ids` are of the first part of the path. */
const kindsOfFields: Record<string, string> = {
  mailboxId: 'mailboxes',
  mailboxIds: 'mailboxes',
  userId: 'readers',
  workspaceId: 'workspaces',
}

/** By field, the names of the ids that a body has. */
export const namesInBody = async (
  app: World,
  workspaceId: string,
  path: string,
  body: Record<string, unknown>,
): Promise<Record<string, string[]>> => {
  const [, first = ''] = path.split('/')
  const kinds: Record<string, string> = { ...kindsOfFields, ids: kindsOfIds[first] ?? first }
  const fields = Object.keys(body).filter((field) => kinds[field] !== undefined)
  const names = await Promise.all(
    fields.map(async (field) => {
      const ids = [body[field]].flat().map(String)
      const found = await find(app, workspaceId, kinds[field] ?? '', ids)
      return [field, found.map(({ name }) => name)] as const
    }),
  )
  return Object.fromEntries(names)
}

const kindsOfIds: Record<string, string> = { 'dns-links': 'domains' }
