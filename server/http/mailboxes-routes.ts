import type { FastifyInstance } from 'fastify'
import * as addresses from '#contract/mail/aliases.ts'
import {
  createMailbox as createMailboxRoute,
  deleteMailbox as deleteMailboxRoute,
  editMailbox as editMailboxRoute,
  generateMailboxes as generateMailboxesRoute,
  getMailbox as getMailboxRoute,
  listMailboxes as listMailboxesRoute,
} from '#contract/mailboxes.ts'
import type { App } from '#server/app.ts'
import { addAlias } from '#server/features/mailboxes/addresses/add-alias.ts'
import {
  removeCatchAll,
  setCatchAll,
} from '#server/features/mailboxes/addresses/change-catch-all.ts'
import { listAliases } from '#server/features/mailboxes/addresses/list-aliases.ts'
import { removeAlias } from '#server/features/mailboxes/addresses/remove-alias.ts'
import { createMailbox } from '#server/features/mailboxes/create-mailbox.ts'
import { deleteMailbox } from '#server/features/mailboxes/delete-mailbox.ts'
import { editMailbox } from '#server/features/mailboxes/edit-mailbox.ts'
import { generateMailboxes } from '#server/features/mailboxes/generate-mailboxes.ts'
import { getMailbox, listMailboxes } from '#server/features/mailboxes/read-mailboxes.ts'
import { listAddresses } from '#server/features/messages/sending/list-addresses.ts'
import { serve } from './serve.ts'

export const registerMailboxesRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, listMailboxesRoute, ({ query }, who) => listMailboxes(app, who, query))
  serve(server, app, getMailboxRoute, ({ params }, who) => getMailbox(app, who, params.id))
  serve(server, app, createMailboxRoute, ({ body }, who) => createMailbox(app, who, body))
  serve(server, app, generateMailboxesRoute, ({ body }, who) => generateMailboxes(app, who, body))
  serve(server, app, editMailboxRoute, ({ params, body }, who) =>
    editMailbox(app, who, params.id, body),
  )
  serve(server, app, deleteMailboxRoute, async ({ params }, who) => {
    await deleteMailbox(app, who, params.id)
    return { message: 'Mailbox deleted' }
  })
  registerAddressesRoutes(server, app)
}

const registerAddressesRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, addresses.listAliases, ({ params }, who) => listAliases(app, who, params.id))
  serve(server, app, addresses.addAlias, ({ params, body }, who) =>
    addAlias(app, who, params.id, body),
  )
  serve(server, app, addresses.removeAlias, async ({ params }, who) => {
    await removeAlias(app, who, params.id, params.aliasId)
    return { message: 'Alias removed' }
  })
  serve(server, app, addresses.listAddresses, ({ params }, who) =>
    listAddresses(app, who, params.id),
  )
  serve(server, app, addresses.setCatchAll, ({ params, body }, who) =>
    setCatchAll(app, who, params.id, body.mailboxId),
  )
  serve(server, app, addresses.removeCatchAll, async ({ params }, who) => {
    await removeCatchAll(app, who, params.id)
    return { message: 'Catch-all removed' }
  })
}
