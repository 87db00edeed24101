import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as routes from '#contract/dns/links.ts'
import type { App } from '#server/app.ts'
import { mailLink } from '#server/features/domains/links/mail-link.ts'
import { listLinks, makeLink, revokeLink } from '#server/features/domains/links/manage-links.ts'
import {
  checkByLink,
  type Holder,
  openLink,
  zoneFileByLink,
} from '#server/features/domains/links/use-link.ts'
import { sendFile } from '../exchange/send-file.ts'
import { serve, serveBytes } from '../serve.ts'
import { ipOf } from '../session.ts'

export const registerDnsLinksRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.listDnsLinks, ({ params }, who) => listLinks(app, who, params.id))
  serve(server, app, routes.makeDnsLink, ({ params, body }, who) =>
    makeLink(app, who, params.id, body),
  )
  serve(server, app, routes.mailDnsLink, ({ params, body }, who) =>
    mailLink(app, who, params.id, body),
  )
  serve(server, app, routes.revokeDnsLink, async ({ params }, who) => {
    await revokeLink(app, who, params.id)
    return { message: 'Link revoked' }
  })

  serve(server, app, routes.openDnsLink, ({ body }, _who, request) =>
    openLink(app, holderOf(body, request)),
  )
  serve(server, app, routes.checkDnsLink, ({ body }, _who, request) =>
    checkByLink(app, holderOf(body, request)),
  )
  serveBytes(server, app, routes.getZoneFileByLink, async ({ body }, _who, reply) =>
    sendFile(reply, {
      ...(await zoneFileByLink(app, holderOf(body, reply.request))),
      contentType: 'text/plain',
    }),
  )
}

const holderOf = ({ token }: { token: string }, request: FastifyRequest): Holder => ({
  token,
  ip: ipOf(request),
})
