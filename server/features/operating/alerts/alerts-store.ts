/** Where alerts are remembered: in the table, so that several processes tell each once. */
import type { Selectable } from 'kysely'
import { DAY_MS } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import type { AlertNewsTable, AlertsTable } from '#server/storage/rows/operator-tables.ts'
import type { AlertState } from './alert-state.ts'

/** By name. `change` null: it is forgotten; one process at a time changes an alert. */
export type AlertStore = {
  read(): Promise<Map<string, AlertState>>
  change(name: string, change: (before: AlertState | null) => AlertState | null): Promise<void>
  /** Kept for operators to read. */
  keep(news: AlertNews): Promise<void>
}

export type AlertNews = Omit<Selectable<AlertNewsTable>, 'id'>

const KEPT_MS = 400 * DAY_MS

/** The newest first. */
export const readAlertNews = (db: Db, limit: number) =>
  db
    .selectFrom('alertNews')
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const alertTable = (db: Db): AlertStore => ({
  read: async () => {
    const rows = await db.selectFrom('alerts').selectAll().orderBy('since').execute()
    return new Map(rows.map((row) => [row.name, stateOf(row)]))
  },
  change: async (name, change) => {
    while (!(await changeRow(db, name, change)));
  },
  keep: async (news) => {
    const at = news.at.getTime()
    await db
      .deleteFrom('alertNews')
      .where('at', '<', new Date(at - KEPT_MS))
      .execute()
    await db
      .insertInto('alertNews')
      .values({ id: newId(at), ...news })
      .execute()
  },
})

/** @returns false when another process made the row just now: then nothing was changed */
const changeRow = (
  db: Db,
  name: string,
  change: Parameters<AlertStore['change']>[1],
): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('alerts')
      .selectAll()
      .where('name', '=', name)
      .forUpdate()
      .executeTakeFirst()
    const state = change(row === undefined ? null : stateOf(row))
    if (state === null) {
      if (row !== undefined) await tx.deleteFrom('alerts').where('name', '=', name).execute()
      return true
    }
    const values = { ...state, tellings: JSON.stringify(state.tellings) }
    if (row !== undefined) {
      await tx.updateTable('alerts').set(values).where('name', '=', name).execute()
      return true
    }
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('alerts')
      .values({ name, ...values })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  })

const stateOf = ({ name: _, ...state }: Selectable<AlertsTable>): AlertState => state

/** For what has to be told without the database; each process tells it. */
export const alertMemory = (): AlertStore => {
  const states = new Map<string, AlertState>()
  return {
    read: async () => new Map(states),
    change: async (name, change) => {
      const state = change(states.get(name) ?? null)
      if (state === null) states.delete(name)
      else states.set(name, state)
    },
    keep: async () => {},
  }
}
