/** Where alerts are remembered: in the table, so that several processes tell each once. */
import type { Selectable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { AlertsTable } from '#server/storage/rows/operator-tables.ts'
import type { AlertState } from './alert-state.ts'

/** By name. `change` null: it is forgotten; one process at a time changes an alert. */
export type AlertStore = {
  read(): Promise<Map<string, AlertState>>
  change(name: string, change: (before: AlertState | null) => AlertState | null): Promise<void>
}

export const alertTable = (db: Db): AlertStore => ({
  read: async () => {
    const rows = await db.selectFrom('alerts').selectAll().orderBy('since').execute()
    return new Map(rows.map((row) => [row.name, stateOf(row)]))
  },
  change: (name, change) =>
    db.transaction().execute(async (tx) => {
      const row = await tx
        .selectFrom('alerts')
        .selectAll()
        .where('name', '=', name)
        .forUpdate()
        .executeTakeFirst()
      const state = change(row === undefined ? null : stateOf(row))
      if (state === null) await tx.deleteFrom('alerts').where('name', '=', name).execute()
      else if (row === undefined)
        // Another process may have been first: the next look finds its row.
        await tx
          .insertInto('alerts')
          .values({ name, ...state, tellings: JSON.stringify(state.tellings) })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      else
        await tx
          .updateTable('alerts')
          .set({ ...state, tellings: JSON.stringify(state.tellings) })
          .where('name', '=', name)
          .execute()
    }),
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
  }
}
