import type { App } from '#server/app.ts'
import { modeIn, stsPolicyText } from '#server/standards/mta-sts.ts'
import { findVerifiedDomain } from './find-domain.ts'
import { readRecords } from './record-queries.ts'

/**
 * The MTA-STS policy of a domain with proven ownership; null: there is none. The owner chooses it in DNS: by the alias that leads
 * to us, and the mode by the id of the TXT record that a check last found (decision 100).
 */
export const stsPolicyOf = async (app: App, name: string): Promise<string | null> => {
  const domain = await findVerifiedDomain(app, name)
  if (domain === null) return null
  const records = await readRecords(app.db, domain.workspaceId, domain.id)
  const record = records.find(({ purpose }) => purpose === 'mta-sts')
  const { mailHost } = app.config
  const found = record?.state === 'verified' ? record.found : []
  return stsPolicyText(modeIn(found, mailHost), mailHost)
}
