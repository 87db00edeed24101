import type { DomainHealth } from '#contract/many-domains.ts'
import type { App } from '#server/app.ts'
import { providerOf } from '#server/dns/providers.ts'
import { elsewhereOf, presentMail } from '#server/dns/receiving-changes.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isOptional } from './dns-records.ts'
import { readHealth } from './health-store.ts'

/** As the last checks stored it, for every domain of the workspace. Looks nothing up. */
export const listDomainHealth = async (
  app: App,
  { workspaceId }: Pick<Who, 'workspaceId'>,
  ids: readonly string[] | null = null,
): Promise<DomainHealth[]> =>
  (await readHealth(app.db, workspaceId, ids)).map(({ id, records, zone, nameServers, mx }) => {
    const mail = presentMail(mx ?? [], app.config.mailHost)
    return {
      _id: id,
      records: records
        .filter((record) => !isOptional(record))
        .map(({ purpose, required, state, explanation, isToDo, ...times }) => ({
          ...{ purpose, required, state, explanation, isToDo },
          verifiedAt: isoOf(times.verifiedAt),
          uncheckedSince: isoOf(times.uncheckedSince),
        })),
      mailTo: mail.isOurs ? app.config.mailHost : elsewhereOf(mail),
      isMailOurs: mail.isOurs,
      provider: providerOf(nameServers ?? [], zone)?.name ?? null,
      checkedAt: latest(records.map(({ checkedAt }) => checkedAt)),
      changedAt: latest(records.map(({ changedAt }) => changedAt)),
    }
  })

/** PostgreSQL writes times into JSON with its own offset. */
const isoOf = (at: string | null): string | null =>
  at === null ? null : new Date(at).toISOString()

const latest = (times: readonly (string | null)[]): string | null => {
  const known = times.flatMap((at) => (at === null ? [] : Date.parse(at)))
  return known.length === 0 ? null : new Date(Math.max(...known)).toISOString()
}
