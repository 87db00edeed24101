import type { ColumnType } from 'kysely'

export type PresentMx = { host: string; priority: number }
export type PresentDmarc = {
  found: string[]
  policy: 'none' | 'quarantine' | 'reject' | null
  /** Where the policy that applies stands; null when none does. */
  at: string | null
}

/** What a domain looked like in DNS when it was last looked at; null in it: never told. */
export type DomainSettingsTable = {
  domainId: string
  workspaceId: string
  zone: string | null
  nameServers: ColumnType<string[], string, string>
  mx: ColumnType<PresentMx[] | null, string | null, string | null>
  /** The SPF records at the domain, all of them. */
  spf: ColumnType<string[] | null, string | null, string | null>
  /** Our mechanisms at that time. */
  ourSpf: ColumnType<string[], string, string>
  dmarc: ColumnType<PresentDmarc | null, string | null, string | null>
  checkedAt: Date
}
