import type { FastifyInstance } from 'fastify'
import {
  createMailbox as createMailboxRoute,
  deleteMailbox as deleteMailboxRoute,
  editMailbox as editMailboxRoute,
  generateMailboxes as generateMailboxesRoute,
  getMailbox as getMailboxRoute,
  listMailboxes as listMailboxesRoute,
} from '#contract/mailboxes.ts'
import type { App } from '#server/app.ts'
import { createMailbox } from '#server/features/mailboxes/create-mailbox.ts'
import { deleteMailbox } from '#server/features/mailboxes/delete-mailbox.ts'
import { editMailbox } from '#server/features/mailboxes/edit-mailbox.ts'
import { generateMailboxes } from '#server/features/mailboxes/generate-mailboxes.ts'
import { getMailbox, listMailboxes } from '#server/features/mailboxes/read-mailboxes.ts'
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
}
