import type { JSONColumnType } from 'kysely'
import type { RecordPurpose, RecordState } from '#contract/domains.ts'

/** What a record said before and after; the newest of each record are kept. */
export type DomainRecordChangesTable = {
  id: string
  domainId: string
  workspaceId: string
  purpose: RecordPurpose
  at: Date
  fromState: RecordState
  fromValues: JSONColumnType<string[], string, string>
  toState: RecordState
  toValues: JSONColumnType<string[], string, string>
}

/** When a workspace was last mailed about records that failed or recovered. */
export type DomainAlertsTable = {
  workspaceId: string
  mailedAt: Date
}
