import type { FastifyInstance } from 'fastify'
import { listRecordChanges } from '#contract/dns/history.ts'
import * as routes from '#contract/domains.ts'
import type { App } from '#server/app.ts'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { deleteDomain } from '#server/features/domains/delete-domain.ts'
import { dnsRecords, ownershipRecord } from '#server/features/domains/dns-records.ts'
import { getDomain, listDomains } from '#server/features/domains/list-domains.ts'
import { verifyDns, verifyOwnership } from '#server/features/domains/verify-domain.ts'
import { listRecordChanges as listChanges } from '#server/features/domains/watching/list-changes.ts'
import { watchRecords } from '#server/features/domains/watching/watch-records.ts'
import { serve } from './serve.ts'

export const registerDomainsRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.addDomain, ({ body }, who) => addDomain(app, who, body))
  serve(server, app, routes.listDomains, (_, who) => listDomains(app, who))
  serve(server, app, routes.getDomain, ({ params }, who) => getDomain(app, who, params.id))
  serve(server, app, routes.deleteDomain, async ({ params }, who) => {
    await deleteDomain(app, who, params.id)
    return { message: 'Domain deleted' }
  })
  serve(server, app, routes.getOwnershipRecord, async ({ params }, who) => {
    const record = await ownershipRecord(app, who, params.id)
    await watchRecords(app, who, params.id, [record])
    return record
  })
  serve(server, app, routes.listDnsRecords, async ({ params }, who) => {
    const records = await dnsRecords(app, who, params.id)
    await watchRecords(app, who, params.id, records)
    return records
  })
  serve(server, app, listRecordChanges, ({ params, query }, who) =>
    listChanges(app, who, params.id, query),
  )
  serve(server, app, routes.verifyOwnership, ({ params }, who) =>
    verifyOwnership(app, who, params.id),
  )
  serve(server, app, routes.verifyDns, ({ params }, who) => verifyDns(app, who, params.id))
}
