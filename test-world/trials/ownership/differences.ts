/** The database against the model, after every action. */
import { findVerifiedDomain } from '#server/features/domains/find-verified-domain.ts'
import { findRecipient } from '#server/features/mailboxes/find-recipient.ts'
import type { World } from './world.ts'

export const differences = async (world: World): Promise<string[]> => {
  const { app, names, rows, people } = world
  const faults: string[] = []
  const expect = (what: string, found: unknown, wanted: unknown) => {
    const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)]
    if (is !== should) faults.push(`${what} is ${is}, not ${should}`)
  }
  const stored = await readStored(world)
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

    const found = await findVerifiedDomain(app, name)
    expect(`who sends as ${name}`, found?.id ?? null, holder?.id ?? null)
    const recipient = await findRecipient(app, `ada@${name}`)
    const reached = recipient.kind === 'mailbox' ? recipient.workspaceId : recipient.kind
    const owner = holder && people[holder.model.workspace]?.workspaceId
    const wanted = !owner ? 'foreign' : holder.model.mailboxes.includes('ada') ? owner : 'unknown'
    expect(`who gets mail for ada@${name}`, reached, wanted)
  }
  const claims = await readClaims(world)
  for (const { id, model } of rows)
    expect(
      'the claims',
      claims.filter(({ domainId }) => domainId === id).map(({ outcome }) => outcome ?? 'open'),
      model.claims.map(({ outcome }) => outcome),
    )
  return faults
}

/** All that resolver trouble must leave alone. */
export const fingerprint = async (world: World): Promise<string> =>
  JSON.stringify([await readStored(world), await readClaims(world)])

const readStored = ({ app, names }: World) =>
  app.db
    .selectFrom('domains')
    .leftJoin('missingProofs', 'missingProofs.domainId', 'domains.id')
    .select([
      'domains.id',
      'name',
      'isVerified',
      'sendingStoppedAt',
      'step',
      'stopsAt',
      'releasesAt',
    ])
    .where('name', 'in', [...names.keys()])
    .orderBy('domains.id')
    .execute()

const readClaims = ({ app, people }: World) =>
  app.db
    .selectFrom('domainClaims')
    .select(['domainId', 'outcome', 'decidesAt'])
    .where(
      'workspaceId',
      'in',
      people.map(({ workspaceId }) => workspaceId),
    )
    .orderBy('startedAt')
    .orderBy('id')
    .execute()
