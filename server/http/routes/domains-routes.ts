import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as claimsRoutes from '#contract/dns/claims.ts'
import * as linksRoutes from '#contract/dns/links.ts'
import * as settingRoutes from '#contract/dns/setting.ts'
import { listRecordChanges } from '#contract/dns/setting.ts'
import * as routes from '#contract/domains.ts'
import * as manyRoutes from '#contract/many-domains.ts'
import type { App } from '#server/app.ts'
import { dnsSetting } from '#server/features/checks/dns-setting.ts'
import { domainZoneFile } from '#server/features/checks/domain-zone-file.ts'
import { exportRecords } from '#server/features/checks/export-records.ts'
import { listLinks, listLinksToMany, makeLink, revokeLink } from '#server/features/checks/links.ts'
import { mailLink } from '#server/features/checks/mail-link.ts'
import {
  checkByLink,
  type Holder,
  openLink,
  openLinkToMany,
  zoneFileByLink,
} from '#server/features/checks/use-link.ts'
import {
  listRecordChanges as listChanges,
  verifyDns,
  verifyMany,
  verifyOwnership,
} from '#server/features/checks/verify-domain.ts'
import { readWatched } from '#server/features/checks/watch-records.ts'
import { deleteDomainLater, deleteManyDomains } from '#server/features/deletions/delete-later.ts'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { addManyDomains } from '#server/features/domains/add-many-domains.ts'
import {
  dnsRecords,
  optionalRecords,
  ownershipRecord,
} from '#server/features/domains/dns-records.ts'
import { getDomain, listDomains } from '#server/features/domains/find-domain.ts'
import { listDomainHealth } from '#server/features/domains/list-health.ts'
import { eachRow } from '#server/features/limits/each-row.ts'
import { moveDomain } from '#server/features/moves/move-domain.ts'
import { withdrawClaim } from '#server/features/ownership/claim-domain.ts'
import { getOwnership, listOwnership } from '#server/features/ownership/read-ownership.ts'
import { serve, serveBytes } from '../exchange/serve.ts'
import { ipOf } from '../exchange/session.ts'
import { sendFile } from '../pages/web-files.ts'

export const registerDomainsRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.addDomain, ({ body }, who) => addDomain(app, who, body))
  serve(server, app, routes.listDomains, (_, who) => listDomains(app, who))
  serve(server, app, routes.getDomain, ({ params }, who) => getDomain(app, who, params.id))
  serve(server, app, routes.deleteDomain, async ({ params }, who) => {
    await deleteDomainLater(app, who, params.id)
    return { message: 'Domain deleted' }
  })
  serve(server, app, routes.getOwnershipRecord, ({ params: { id } }, who) =>
    readWatched(app, who, id, () => ownershipRecord(app, who, id)),
  )
  serve(server, app, routes.listDnsRecords, ({ params: { id } }, who) =>
    readWatched(app, who, id, () => dnsRecords(app, who, id)),
  )
  serve(server, app, routes.listOptionalRecords, ({ params: { id } }, who) =>
    readWatched(app, who, id, () => optionalRecords(app, who, id)),
  )
  serve(server, app, listRecordChanges, ({ params, query }, who) =>
    listChanges(app, who, params.id, query),
  )
  serve(server, app, routes.verifyOwnership, ({ params }, who) =>
    verifyOwnership(app, who, params.id),
  )
  serve(server, app, routes.verifyDns, ({ params }, who) => verifyDns(app, who, params.id))
}

/** Verbs for many domains: each row by its own right and transaction. */
export const registerManyDomainsRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, manyRoutes.addManyDomains, ({ body }, who) => addManyDomains(app, who, body))
  serve(server, app, manyRoutes.listDomainHealth, (_, who) => listDomainHealth(app, who))
  serve(server, app, manyRoutes.verifyManyDomains, ({ body }, who) =>
    verifyMany(app, who, body.ids),
  )
  serve(server, app, manyRoutes.deleteManyDomains, ({ body }, who) =>
    deleteManyDomains(app, who, body.ids),
  )
  serve(server, app, manyRoutes.moveManyDomains, ({ body }, who) =>
    eachRow(body.ids, async (id) => {
      await moveDomain(app, who, id, body.workspaceId)
      return undefined
    }),
  )
  serveBytes(server, app, manyRoutes.exportManyRecords, async ({ body }, who, reply) =>
    sendFile(reply, { ...(await exportRecords(app, who, body)), contentType: 'text/plain' }),
  )
}

export const registerDnsLinksRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, linksRoutes.listDnsLinks, ({ params }, who) => listLinks(app, who, params.id))
  serve(server, app, linksRoutes.makeDnsLink, ({ params, body }, who) =>
    makeLink(app, who, [params.id], body),
  )
  serve(server, app, linksRoutes.listManyDnsLinks, (_, who) => listLinksToMany(app, who))
  serve(server, app, linksRoutes.makeManyDnsLink, ({ body }, who) =>
    makeLink(app, who, body.ids, body),
  )
  serve(server, app, linksRoutes.mailDnsLink, ({ params, body }, who) =>
    mailLink(app, who, params.id, body),
  )
  serve(server, app, linksRoutes.revokeDnsLink, async ({ params }, who) => {
    await revokeLink(app, who, params.id)
    return { message: 'Link revoked' }
  })

  serve(server, app, linksRoutes.openDnsLink, ({ body }, _who, request) =>
    openLink(app, holderOf(body, request)),
  )
  serve(server, app, linksRoutes.openManyDnsLink, ({ body }, _who, request) =>
    openLinkToMany(app, holderOf(body, request)),
  )
  serve(server, app, linksRoutes.checkDnsLink, ({ body }, _who, request) =>
    checkByLink(app, holderOf(body, request)),
  )
  serveBytes(server, app, linksRoutes.getZoneFileByLink, async ({ body }, _who, reply) =>
    sendFile(reply, {
      ...(await zoneFileByLink(app, holderOf(body, reply.request))),
      contentType: 'text/plain',
    }),
  )
}

const holderOf = <Body extends { token: string }>(
  body: Body,
  request: FastifyRequest,
): Body & Holder => ({ ...body, ip: ipOf(request) })

export const registerOwnershipRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, claimsRoutes.listOwnership, (_, who) => listOwnership(app, who))
  serve(server, app, claimsRoutes.getOwnership, ({ params }, who) =>
    getOwnership(app, who, params.id),
  )
  serve(server, app, claimsRoutes.withdrawClaim, ({ params }, who) =>
    withdrawClaim(app, who, params.id),
  )
}

export const registerDnsSettingRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, settingRoutes.getDnsSetting, ({ params }, who) =>
    dnsSetting(app, who, params.id),
  )
  serveBytes(server, app, settingRoutes.getZoneFile, async ({ params }, who, reply) =>
    sendFile(reply, {
      ...(await domainZoneFile(app, who, params.id)),
      contentType: 'text/plain',
    }),
  )
}
