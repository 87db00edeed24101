/** Compares the database with the model after each action. */
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { findVerifiedDomain } from '#server/features/domains/find-domain.ts'
import { findRecipient } from '#server/features/mailboxes/find-recipient.ts'
import type { World } from './world.ts'

export const differences = async (world: World): Promise<string[]> => {
  const { names, rows, people } = world
  const faults: string[] = []
  const expect = (what: string, found: unknown, wanted: unknown) => {
    const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)]
    if (is !== should) faults.push(`${what} is ${is}, not ${should}`)
  }
  const [stored, reached] = await Promise.all([readStored(world), readReached(world)])
  expect('who asks', stored.map(({ id }) => id).toSorted(), rows.map(({ id }) => id).toSorted())
  for (const [name, model] of names) {
    const holders = stored.filter((row) => row.name === name && row.isVerified)
    const holder = rows.find((row) => row.model === model.holder)
    expect(
      `the holder of ${name}`,
      holders.map(({ id }) => id),
      holder ? [holder.id] : [],
    )
    const isStopped = holders.some(({ sendingStoppedAt }) => sendingStoppedAt !== null)
    expect(`sending of ${name} stopped`, isStopped, model.isSendingStopped)
    const step = holders[0]?.step ?? null
    expect(`the step of ${name}`, step, model.missing?.step ?? null)

    const { sender, recipient } = reached.get(name) ?? {}
    expect(`who sends as ${name}`, sender, holder?.id ?? null)
    const owner = holder && people[holder.model.workspace]?.workspaceId
    const wanted = !owner ? 'foreign' : holder.model.mailboxes.includes('ada') ? owner : 'unknown'
    expect(`who gets mail for ada@${name}`, recipient, wanted)
  }
  for (const { id, model } of rows)
    expect(
      'the claims',
      stored.find((row) => row.id === id)?.claims.map(({ outcome }) => outcome ?? 'open'),
      model.claims.map(({ outcome }) => outcome),
    )
  return faults
}

/** Everything that resolver trouble must not change. */
export const fingerprint = async (world: World): Promise<string> =>
  JSON.stringify(await readStored(world))

type Reached = { sender: string | null; recipient: string }

/** The recipient and sender that the doors would find for each name. */
const readReached = async ({ app, names }: World): Promise<Map<string, Reached>> =>
  new Map(
    await Promise.all(
      [...names.keys()].map(async (name): Promise<[string, Reached]> => {
        const [domain, recipient] = await Promise.all([
          findVerifiedDomain(app, name),
          findRecipient(app, `ada@${name}`),
        ])
        const reached = recipient.kind === 'mailbox' ? recipient.workspaceId : recipient.kind
        return [name, { sender: domain?.id ?? null, recipient: reached }]
      }),
    ),
  )

const readStored = ({ app, names }: World) =>
  app.db
    .selectFrom('domains')
    .leftJoin('missingProofs', 'missingProofs.domainId', 'domains.id')
    .select((domain) => [
      'domains.id',
      'name',
      'isVerified',
      'sendingStoppedAt',
      'step',
      'stopsAt',
      'releasesAt',
      jsonArrayFrom(
        domain
          .selectFrom('domainClaims')
          .select(['outcome', 'decidesAt'])
          .whereRef('domainClaims.domainId', '=', 'domains.id')
          .orderBy('startedAt')
          .orderBy('domainClaims.id'),
      ).as('claims'),
    ])
    .where('name', 'in', [...names.keys()])
    .orderBy('domains.id')
    .execute()
