import type { FastifyInstance } from 'fastify'
import * as routes from '#contract/mail/access.ts'
import type { App } from '#server/app.ts'
import { getAccess } from '#server/features/access/get-access.ts'
import { revokeAccess, withdrawLink } from '#server/features/access/links/end-access.ts'
import { makeLink } from '#server/features/access/links/make-link.ts'
import { acceptAccess, openAccess } from '#server/features/access/links/use-link.ts'
import { listAllEntries, listEntries } from '#server/features/access/log/access-log.ts'
import {
  giveMailbox,
  takeMailboxBack,
  takeRight,
} from '#server/features/access/readers/change-readers.ts'
import { serve } from '../serve.ts'
import { ipOf } from '../session.ts'

export const registerAccessRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.getAccess, ({ params }, who) => getAccess(app, who, params.id))
  serve(server, app, routes.listAccessEntries, ({ params, query }, who) =>
    listEntries(app, who, params.id, query),
  )
  serve(server, app, routes.listAllAccessEntries, ({ query }, who) =>
    listAllEntries(app, who, query),
  )
  serve(server, app, routes.giveMailbox, ({ params, body }, who) =>
    giveMailbox(app, who, params.id, body.userId),
  )
  serve(server, app, routes.takeRight, ({ params, body }, who) =>
    takeRight(app, who, params.id, body.reason ?? ''),
  )
  serve(server, app, routes.takeMailboxBack, async ({ params }, who) => {
    await takeMailboxBack(app, who, params.id, params.userId)
    return { message: 'Right to read ended' }
  })
  registerLinkRoutes(server, app)
}

const registerLinkRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.makeAccessLink, ({ params, body }, who) =>
    makeLink(app, who, params.id, body),
  )
  serve(server, app, routes.withdrawAccessLink, async ({ params }, who) => {
    await withdrawLink(app, who, params.id)
    return { message: 'Link withdrawn' }
  })
  serve(server, app, routes.revokeAccess, async ({ params }, who) => {
    await revokeAccess(app, who, params.id)
    return { message: 'Access revoked' }
  })
  serve(server, app, routes.openAccess, ({ body }) => openAccess(app, body.session))
  serve(server, app, routes.acceptAccess, ({ body }, _who, request) =>
    acceptAccess(app, body, ipOf(request)),
  )
}
