import type { FastifyInstance } from 'fastify'
import * as routes from '#contract/mail/access.ts'
import * as addresses from '#contract/mail/aliases.ts'
import * as appPasswords from '#contract/mail/app-passwords.ts'
import {
  changeMailboxSettings,
  getMailboxSettings,
  getStorage as getStorageRoute,
} from '#contract/mail/mailbox-settings.ts'
import * as manyLinks from '#contract/mail/many-access-links.ts'
import {
  getVacation as getVacationRoute,
  setVacation as setVacationRoute,
} from '#contract/mail/vacation.ts'
import {
  countMailboxes as countMailboxesRoute,
  createMailbox as createMailboxRoute,
  deleteMailbox as deleteMailboxRoute,
  editMailbox as editMailboxRoute,
  generateMailboxes as generateMailboxesRoute,
  getMailbox as getMailboxRoute,
  listMailboxes as listMailboxesRoute,
} from '#contract/mailboxes.ts'
import {
  changeManyMailboxes,
  deleteManyMailboxes,
  importMailboxes as importMailboxesRoute,
} from '#contract/many-mailboxes.ts'
import type { App } from '#server/app.ts'
import { deleteMailboxLater } from '#server/features/deletions/delete-later.ts'
import { eachRow } from '#server/features/limits/each-row.ts'
import {
  makeLink,
  makeLinks,
  revokeAccess,
  withdrawLink,
} from '#server/features/mailboxes/access/access-links.ts'
import { listAllEntries, listEntries } from '#server/features/mailboxes/access/access-log.ts'
import {
  giveMailbox,
  listPeople,
  takeMailboxBack,
  takeRight,
} from '#server/features/mailboxes/access/change-readers.ts'
import { getAccess } from '#server/features/mailboxes/access/get-access.ts'
import { readLinkRoom } from '#server/features/mailboxes/access/link-limits.ts'
import { acceptAccess, openAccess } from '#server/features/mailboxes/access/use-link.ts'
import {
  addAlias,
  listAliases,
  removeAlias,
  removeCatchAll,
  setCatchAll,
} from '#server/features/mailboxes/aliases.ts'
import { createMailbox, editMailbox } from '#server/features/mailboxes/edit-mailbox.ts'
import { generateMailboxes } from '#server/features/mailboxes/generate-mailboxes.ts'
import { importMailboxes } from '#server/features/mailboxes/import-mailboxes.ts'
import { changeSettings, getSettings } from '#server/features/mailboxes/mailbox-settings.ts'
import {
  countMailboxes,
  getMailbox,
  listMailboxes,
} from '#server/features/mailboxes/read-mailboxes.ts'
import { getStorage } from '#server/features/messages/get-message.ts'
import { handOver } from '#server/features/moves/hand-over.ts'
import {
  endAppPassword,
  listAppPasswords,
  listProgramUses,
  makeAppPassword,
} from '#server/features/programs/app-passwords.ts'
import { listAddresses } from '#server/features/sending/send-message.ts'
import { getVacation, setVacation } from '#server/features/vacation/edit-vacation.ts'
import { setSessionCookies } from '../exchange/cookies.ts'
import { serve } from '../exchange/serve.ts'
import { clientOf } from './auth-routes.ts'

export const registerMailboxesRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, listMailboxesRoute, ({ query }, who) => listMailboxes(app, who, query))
  serve(server, app, countMailboxesRoute, ({ query }, who) => countMailboxes(app, who, query))
  serve(server, app, getMailboxRoute, ({ params }, who) => getMailbox(app, who, params.id))
  serve(server, app, createMailboxRoute, ({ body }, who) => createMailbox(app, who, body))
  serve(server, app, generateMailboxesRoute, ({ body }, who) => generateMailboxes(app, who, body))
  serve(server, app, importMailboxesRoute, ({ body }, who) => importMailboxes(app, who, body))
  serve(server, app, editMailboxRoute, ({ params, body }, who) =>
    editMailbox(app, who, params.id, body),
  )
  serve(server, app, deleteMailboxRoute, async ({ params }, who) => {
    await deleteMailboxLater(app, who, params.id)
    return { message: 'Mailbox deleted' }
  })
  registerManyMailboxesRoutes(server, app)
  registerAddressesRoutes(server, app)
}

/** Rows at once: most of one is waiting for the disk. */
const AT_ONCE = 4

/** Verbs for many mailboxes: each row by its own right and transaction. */
const registerManyMailboxesRoutes = (server: FastifyInstance, app: App): void => {
  const each = (ids: readonly string[], work: (id: string) => Promise<unknown>) =>
    eachRow(
      ids,
      async (id) => {
        await work(id)
        return undefined
      },
      AT_ONCE,
    )
  serve(server, app, changeManyMailboxes, ({ body: { ids, status } }, who) =>
    each(ids, (id) => editMailbox(app, who, id, { status })),
  )
  serve(server, app, deleteManyMailboxes, ({ body }, who) =>
    each(body.ids, (id) => deleteMailboxLater(app, who, id)),
  )
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

export const registerMailboxSettingsRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, getMailboxSettings, ({ params }, who) => getSettings(app, who, params.id))
  serve(server, app, changeMailboxSettings, ({ params, body }, who) =>
    changeSettings(app, who, params.id, body),
  )
  serve(server, app, getStorageRoute, ({ params }, who) => getStorage(app, who, params.id))
  serve(server, app, getVacationRoute, ({ params }, who) => getVacation(app, who, params.id))
  serve(server, app, setVacationRoute, ({ params, body }, who) =>
    setVacation(app, who, params.id, body),
  )
}

export const registerAppPasswordRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, appPasswords.listAppPasswords, ({ params }, who) =>
    listAppPasswords(app, who, params.id),
  )
  serve(server, app, appPasswords.listProgramUses, ({ params }, who) =>
    listProgramUses(app, who, params.id),
  )
  serve(server, app, appPasswords.makeAppPassword, ({ params, body }, who) =>
    makeAppPassword(app, who, params.id, body),
  )
  serve(server, app, appPasswords.endAppPassword, async ({ params }, who) => {
    await endAppPassword(app, who, params.id, params.appPasswordId)
    return { message: 'App password ended' }
  })
}

export const registerAccessRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.getAccess, ({ params }, who) => getAccess(app, who, params.id))
  serve(server, app, routes.listAccessEntries, ({ params, query }, who) =>
    listEntries(app, who, params.id, query),
  )
  serve(server, app, routes.listAllAccessEntries, ({ query }, who) =>
    listAllEntries(app, who, query),
  )
  serve(server, app, routes.listPeople, ({ query }, who) => listPeople(app, who, query.q))
  serve(server, app, routes.giveMailbox, ({ params, body }, who) =>
    giveMailbox(app, who, params.id, body),
  )
  serve(server, app, routes.handOver, ({ params, body }, who) =>
    handOver(app, who, params.id, body),
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
  serve(server, app, manyLinks.makeAccessLinks, async ({ body }, who) => ({
    items: await makeLinks(app, who, body.links),
  }))
  serve(server, app, manyLinks.getAccessLinkRoom, (_input, who) => readLinkRoom(app, who))
  serve(server, app, routes.withdrawAccessLink, async ({ params }, who) => {
    await withdrawLink(app, who, params.id)
    return { message: 'Link withdrawn' }
  })
  serve(server, app, routes.revokeAccess, async ({ params }, who) => {
    await revokeAccess(app, who, params.id)
    return { message: 'Access revoked' }
  })
  serve(server, app, routes.openAccess, ({ body }) => openAccess(app, body.session))
  serve(server, app, routes.acceptAccess, async ({ body }, _who, request, reply) => {
    const { email, started } = await acceptAccess(app, body, clientOf(app, request))
    if (started) setSessionCookies(app, reply, started)
    return { email, session: started?.answer ?? null }
  })
}
