import type { Who } from '#server/features/accounts/who.ts'
import type { TestApp } from '../../app.ts'
import type { ZonesDns } from '../../dns/zones-dns.ts'
import type { NameModel, RowModel } from './model.ts'

/** A domain of a workspace: in the database and in the model. */
export type Row = { id: string; token: string; name: string; model: RowModel }

export type World = {
  app: TestApp
  dns: ZonesDns
  people: Who[]
  names: Map<string, NameModel>
  rows: Row[]
  /** The number of domains ever added. */
  added: number
}
