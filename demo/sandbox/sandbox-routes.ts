/** The endpoints of Sandbox DNS. The product serves them only when the demo passes them in (decision 018). */
import type { FastifyInstance } from 'fastify'
import * as routes from '#contract/dns/sandbox.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { type RequireObject, serve } from '#server/http/exchange/serve.ts'
import { isId } from '#server/lib/ids.ts'
import { type AddedDomain, addedDomains, ownersOf } from './added-domains.ts'
import { mistakesAt } from './mistakes/all-mistakes.ts'
import { readForm } from './read-form.ts'
import { recordId, type Sandbox } from './sandbox.ts'
import { listedZone, shownZone } from './show-zone.ts'

export const sandboxRoutes =
  (sandbox: Sandbox) =>
  (server: FastifyInstance, app: App): void => {
    const { zones } = sandbox

    const isForeignTo =
      (workspaceId: string, owners: ReadonlyMap<string, string>) => (name: string) => {
        const zone = zones.zoneOf(name)
        if (zone === null) return false
        return zones.isWorlds(zone) || (owners.get(zone) ?? workspaceId) !== workspaceId
      }
    const zonesOver = (domains: readonly AddedDomain[]): string[] =>
      domains.flatMap(({ name }) => zones.zoneOf(name) ?? [])

    type Who = { workspaceId: string }
    /** @throws NOT_EXISTS for a domain that is not in the workspace */
    const find = async ({ workspaceId }: Who, id: string) => {
      const domains = isId(id) ? await addedDomains(app.db, workspaceId, id) : []
      const [domain] = domains
      if (!domain) throw new AppError('NOT_EXISTS')
      const isForeign = isForeignTo(workspaceId, await ownersOf(app.db, zonesOver(domains)))
      return { domain, isForeign: isForeign(domain.name) }
    }
    /** Changes a zone of the caller's workspace; returns the changed zone. */
    const change = async (who: Who, id: string, doIt: (domain: AddedDomain) => void) => {
      const { domain, isForeign } = await find(who, id)
      if (isForeign) throw new AppError('FORBIDDEN', { message: FOREIGN })
      doIt(domain)
      return shownZone(sandbox, domain, isForeign)
    }
    const recordOf = ({ name }: AddedDomain, id: string) => {
      const records = zones.recordsOf(zones.zoneOf(name) ?? name)
      const record = records.find((each) => recordId(each) === id)
      if (!record) throw new AppError('NOT_EXISTS', { message: GONE })
      return record
    }

    serve(server, app, routes.listSandboxZones, async (_, { workspaceId }) => {
      const domains = await addedDomains(app.db, workspaceId)
      const isForeign = isForeignTo(workspaceId, await ownersOf(app.db, zonesOver(domains)))
      return domains.map((domain) => listedZone(sandbox, domain, isForeign(domain.name)))
    })
    serve(server, app, routes.getSandboxZone, async ({ params }, who) => {
      const { domain, isForeign } = await find(who, params.id)
      return shownZone(sandbox, domain, isForeign)
    })
    serve(server, app, routes.publishAll, ({ params }, who) =>
      change(who, params.id, ({ name, asked }) => sandbox.publish(name, asked)),
    )
    const requireZone: RequireObject = (who, { id = '' }) => find(who, id)
    serve(
      server,
      app,
      routes.addSandboxRecord,
      ({ params, body }, who) =>
        change(who, params.id, ({ name }) => sandbox.add(name, readForm(zones, name, body))),
      requireZone,
    )
    serve(
      server,
      app,
      routes.changeSandboxRecord,
      ({ params, body }, who) =>
        change(who, params.id, (domain) => {
          const old = recordOf(domain, params.recordId)
          const record = readForm(zones, domain.name, body, old)
          sandbox.remove(domain.name, old)
          sandbox.add(domain.name, record)
        }),
      async (who, { id = '', recordId: record = '' }) => {
        const { domain } = await find(who, id)
        recordOf(domain, record)
      },
    )
    serve(server, app, routes.deleteSandboxRecord, ({ params }, who) =>
      change(who, params.id, (domain) =>
        sandbox.remove(domain.name, recordOf(domain, params.recordId)),
      ),
    )
    serve(
      server,
      app,
      routes.makeSandboxMistake,
      ({ params, body }, who) =>
        change(who, params.id, ({ name, asked }) => {
          const mistake = mistakesAt(zones, name).find(({ id }) => id === body.mistake)
          if (!mistake) throw invalidField('mistake', 'There is no such mistake')
          sandbox.make(name, asked, mistake)
        }),
      requireZone,
    )
    serve(server, app, routes.undoSandboxMistake, ({ params }, who) =>
      change(who, params.id, ({ name }) => sandbox.undo(name, params.mistake)),
    )
  }

const FOREIGN = 'This zone belongs to another workspace'
const GONE = 'This record is not there any more'
