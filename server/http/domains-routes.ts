import type { FastifyInstance } from 'fastify'
import { listRecordChanges } from '#contract/dns/history.ts'
import * as routes from '#contract/domains.ts'
import type { App } from '#server/app.ts'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { deleteDomain } from '#server/features/domains/delete-domain.ts'
import { dnsRecords, ownershipRecord } from '#server/features/domains/dns-records.ts'
import { getDomain, listDomains } from '#server/features/domains/list-domains.ts'
import { optionalRecords } from '#server/features/domains/second-key/optional-records.ts'
import { verifyDns, verifyOwnership } from '#server/features/domains/verify-domain.ts'
import { listRecordChanges as listChanges } from '#server/features/domains/watching/list-changes.ts'
import { readWatched } from '#server/features/domains/watching/watch-records.ts'
import { serve } from './serve.ts'

export const registerDomainsRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.addDomain, ({ body }, who) => addDomain(app, who, body))
  serve(server, app, routes.listDomains, (_, who) => listDomains(app, who))
  serve(server, app, routes.getDomain, ({ params }, who) => getDomain(app, who, params.id))
  serve(server, app, routes.deleteDomain, async ({ params }, who) => {
    await deleteDomain(app, who, params.id)
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
