/** A mailbox and the domains that its aliases are on, deleted at the same moment: one waits for the other, and all go. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteDomain } from '#server/features/ownership/delete-domain.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, type Domain, type Mailbox } from '#test-world/builders.ts'
import { deleteMailbox } from '#test-world/deletions.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'

const ROUNDS = 12
const ALIASES = 40

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

/** Those of a mailbox are found in another order than those of a domain. */
const giveAliases = (mailbox: Mailbox, domain: Domain) =>
  app.db
    .insertInto('aliases')
    .values(
      Array.from({ length: ALIASES }, (_, n) => ({
        id: newId(),
        ...{ workspaceId: mailbox.workspaceId, domainId: domain.id, mailboxId: mailbox.id },
        email: `a${n}-${mailbox.id}@${domain.name}`,
        createdAt: new Date(Date.UTC(2026, 0, 1) - n * 1_000),
      })),
    )
    .execute()

test('nobody waits in a circle', async () => {
  const who = await aMember(app)
  for (let round = 0; round < ROUNDS; round++) {
    const [one, other, third] = [
      await anActiveDomain(app, who),
      await anActiveDomain(app, who),
      await anActiveDomain(app, who),
    ]
    const mailbox = await aMailbox(app, { domain: one, localPart: 'ada' })
    const neighbour = await aMailbox(app, { domain: other, localPart: 'bob' })
    const far = await aMailbox(app, { domain: third, localPart: 'eve' })
    for (const [box, at] of [
      [mailbox, other],
      [mailbox, third],
      [neighbour, third],
      [far, other],
    ] as const)
      await giveAliases(box, at)
    await Promise.all([
      deleteDomain(app, who, other.id),
      deleteMailbox(app, who, mailbox.id),
      deleteDomain(app, who, third.id),
    ])
  }
  expect(await app.db.selectFrom('aliases').select('id').execute()).toEqual([])
  expect(await app.db.selectFrom('mailboxes').select('id').execute()).toEqual([])
})
