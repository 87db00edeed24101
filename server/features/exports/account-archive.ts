/** What the installation knows of a person, as one zip file: the account and its traces. Mail belongs to mailboxes, not to accounts. */
import type { App } from '#server/app.ts'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { noteAction, type Operator } from '#server/features/operators/operators.ts'
import { type StreamedFile, zipStream } from '#server/standards/zip-stream.ts'
import { archiveName } from './ask-export.ts'
import { writeFileIn } from './export-to-file.ts'
import { accountRows } from './exported-rows-store.ts'
import { accountTables, wordsOf } from './exported-tables.ts'
import { asJson } from './table-files.ts'

type World = Pick<App, 'db' | 'clock'>

/** @throws StartError; then no file is left */
export const exportAccountTo = async (
  app: World,
  operator: Operator,
  { id, email }: { id: string; email: string },
  where: string,
): Promise<{ path: string; bytes: number }> => {
  const at = app.clock.now()
  await noteAction(app.db, at, operator, {
    verb: 'user export',
    ...{ workspaceId: null, subject: email },
  })
  return writeFileIn(where, archiveName(email, at), zipStream(filesOf(app, id), at))
}

/** For its owner. */
export const ownArchive = async (
  app: World,
  userId: string,
): Promise<{ filename: string; content: AsyncGenerator<Buffer> }> => {
  const at = app.clock.now()
  const { email } = await userRows(app.db).where('id', '=', userId).executeTakeFirstOrThrow()
  return { filename: archiveName(email, at), content: zipStream(filesOf(app, userId), at) }
}

async function* filesOf({ db }: World, id: string): AsyncGenerator<StreamedFile> {
  const account = await userRows(db).where('id', '=', id).executeTakeFirstOrThrow()
  yield { name: 'account.json', content: [Buffer.from(JSON.stringify(account, null, 2))] }
  for (const [table, { columns }] of Object.entries(accountTables)) {
    const rows = await accountRows(db, table, wordsOf(columns), id)
    yield { name: `${table}.json`, content: asJson(rows) }
  }
}
