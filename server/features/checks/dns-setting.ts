/** Who runs the DNS and the mail of a domain, and what is there already: read from what the checks have stored. */
import type { DnsSetting } from '#contract/dns/setting.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { providerOf } from '#server/dns/providers.ts'
import { elsewhereOf, presentMail, receivingChanges } from '#server/dns/receiving-changes.ts'
import { leftOutOf, servicesIn } from '#server/dns/spf-services.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { type DomainSetting, readSetting } from '#server/features/domains/setting-store.ts'
import { isId } from '#server/lib/ids.ts'
import { lookAtSetting } from './look-at-setting.ts'

export const dnsSetting = async (
  app: App,
  who: Pick<Who, 'workspaceId'>,
  domainId: string,
): Promise<DnsSetting> => toDnsSetting(await settingOf(app, who, domainId), app.config.mailHost)

/**
 * Makes look-ups only when nobody has looked at this domain yet, and then for 3 s at most.
 * @throws NOT_EXISTS
 */
export const settingOf = async (
  app: App,
  { workspaceId }: Pick<Who, 'workspaceId'>,
  id: string,
): Promise<DomainSetting> => {
  const read = () => (isId(id) ? readSetting(app.db, { id, workspaceId }) : undefined)
  const stored = await read()
  if (!stored) throw new AppError('NOT_EXISTS')
  if (stored.facts !== null) return stored
  await lookAtSetting(app, { id, workspaceId, name: stored.name })
  const looked = await read()
  if (!looked) throw new AppError('NOT_EXISTS')
  return looked
}

const toDnsSetting = (setting: DomainSetting, mailHost: string): DnsSetting => {
  const { name, facts, checkedAt, nextCheckAt, proposedSpf, mailboxes } = setting
  const zone = facts?.zone ?? null
  const nameServers = facts?.nameServers ?? []
  const mx = facts?.mx ?? null
  return {
    zone,
    nameServers,
    provider: providerOf(nameServers, zone),
    mail: mx && toPresentMail(mx, mailHost),
    spf: facts?.spf
      ? {
          found: facts.spf,
          services: servicesIn(facts.spf, facts.ourSpf),
          leftOut: leftOutOf(facts.spf, proposedSpf),
          merged: proposedSpf,
          added: facts.ourSpf.join(' '),
        }
      : null,
    dmarc: facts?.dmarc ? { ...facts.dmarc, isKept: facts.dmarc.policy !== null } : null,
    receiving: {
      changes: mx ? receivingChanges({ domain: name, hosts: mx, mailHost, mailboxes }) : [],
    },
    checkedAt: checkedAt?.toISOString() ?? null,
    nextCheckAt: nextCheckAt?.toISOString() ?? null,
  }
}

const toPresentMail = (mx: Parameters<typeof presentMail>[0], mailHost: string) => {
  const mail = presentMail(mx, mailHost)
  const { hosts, service, isOurs, hasNullMx } = mail
  return { hosts, service: service?.name ?? null, elsewhere: elsewhereOf(mail), isOurs, hasNullMx }
}
