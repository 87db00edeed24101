/** One random history of a name and a name below it, in several workspaces, and its differences from the model. */

import { checkDomain } from '#server/features/checks/check-domain.ts'
import { verifyOwnership } from '#server/features/checks/verify-domain.ts'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { withdrawClaim } from '#server/features/ownership/claim-domain.ts'
import { deleteDomain } from '#server/features/ownership/delete-domain.ts'
import { followOwnership } from '#server/features/ownership/follow-ownership.ts'
import { lookOf } from '#server/features/ownership/ownership-state.ts'
import type { TestApp } from '../../app.ts'
import { aMailbox } from '../../builders.ts'
import type { ZonesDns } from '../../dns/zones-dns.ts'
import { aMember } from '../../members.ts'
import { type Chance, chanceOf } from '../seeded.ts'
import { differences, fingerprint } from './differences.ts'
import { giveUp, look, newName, type RowModel } from './model.ts'
import { Past } from './past.ts'
import type { Row, World } from './world.ts'

/** Actions on the asking rows, and which row mostly performs them. */
const ofHolder = [
  ...(['unprove', 'unprove', 'prove', 'prove'] as const),
  ...(['mailbox', 'verify', 'verify', 'delete'] as const),
] as const
const ofOthers = [
  ...(['replace', 'replace', 'prove', 'prove', 'prove'] as const),
  ...(['verify', 'verify', 'withdraw', 'delete'] as const),
] as const
type Deed = (typeof ofHolder)[number] | (typeof ofOthers)[number]
type Action = 'add' | 'wait' | 'trouble' | 'holder' | 'other'
const actions = [
  ...(['wait', 'wait', 'wait', 'wait', 'holder', 'holder', 'other', 'other', 'other'] as const),
  ...(['add', 'trouble'] as const),
] as const
/** One workspace holds a name and another claims it: otherwise little happens. */
const beginning: readonly [Action, Deed?][] = [
  ['add'],
  ['add'],
  ['other', 'prove'],
  ['other', 'verify'],
  ['holder', 'mailbox'],
]

const WORKSPACES = 3
/** Long enough for a domain to be released and added again. */
const LONGEST_WAIT = 30
const STEP_HOURS = 35

/** `faults`: sentences; `seen`: events of the history, so that a sample without events is noticed. */
export type History = { faults: string[]; seen: Set<string> }

export const runHistory = async (
  app: TestApp,
  dns: ZonesDns,
  seed: number,
  steps: number,
): Promise<History> => {
  const chance = chanceOf(seed)
  const people = []
  for (let at = 0; at < WORKSPACES; at++) people.push(await aMember(app))
  const parent = `h${seed}.test`
  const names = new Map([parent, `sub.${parent}`].map((name) => [name, newName()]))
  const world: World = { app, dns, people, names, rows: [], added: 0 }
  const past = new Past()
  const done: string[] = []
  const seen = new Set<string>()
  for (let at = 0; at < steps; at++) {
    const [action, deed] = beginning[at] ?? [chance.oneOf(actions)]
    // A few seconds pass between two actions, so that their order is defined.
    app.clock.advance({ seconds: 7 })
    done.push(await act(world, chance, action, deed))
    const faults = [...(await differences(world)), ...(await past.faults(world))]
    for (const happening of happenings(world)) seen.add(happening)
    if (faults.length > 0)
      return { faults: faults.map((fault) => `${fault} (after ${done.join(', ')})`), seen }
  }
  await app.db
    .deleteFrom('workspaces')
    .where(
      'id',
      'in',
      people.map(({ workspaceId }) => workspaceId),
    )
    .execute()
  return { faults: [], seen }
}

const happenings = ({ names }: World): string[] =>
  [...names.values()].flatMap(({ rows, holder, missing, isReleasedOnce }) => [
    ...(isReleasedOnce ? ['released'] : []),
    ...(holder ? ['held'] : []),
    ...(missing ? [missing.step] : []),
    ...rows.flatMap(({ claims }) => claims.map(({ outcome }) => outcome)),
  ])

const act = async (world: World, chance: Chance, action: Action, deed?: Deed): Promise<string> => {
  if (action === 'wait') return wait(world, chance)
  if (action === 'trouble') return trouble(world)
  // Usually the first name; the other one exists beside it.
  const isBelow = deed === undefined && chance.between(1, 6) === 1
  const name = [...world.names.keys()][isBelow ? 1 : 0] ?? ''
  const asking = world.rows.filter((each) => each.name === name)
  if (action === 'add' || asking.length < 2) {
    const free = [0, 1, 2].filter((at) => !asking.some(({ model }) => model.workspace === at))
    const workspace = free[chance.between(0, free.length - 1)]
    if (workspace !== undefined) await add(world, name, workspace)
    return `add ${name} in ${workspace}`
  }
  const holder = asking.filter(({ model }) => model === world.names.get(name)?.holder)
  const others = asking.filter((row) => !holder.includes(row))
  const from = action === 'holder' && holder.length > 0 ? holder : others
  const row = from[chance.between(0, from.length - 1)]
  const done = deed ?? (from === holder ? chance.oneOf(ofHolder) : chance.oneOf(ofOthers))
  if (row) await actOn(world, row, done)
  return `${done} ${name} in ${row?.model.workspace}`
}

const add = async (world: World, name: string, workspace: number): Promise<void> => {
  const who = world.people[workspace]
  const model = world.names.get(name)
  if (!who || !model) return
  const { _id: id } = await addDomain(world.app, who, { name })
  const { ownershipToken: token } = await world.app.db
    .selectFrom('domains')
    .select('ownershipToken')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const added: RowModel = {
    ...{ row: world.added++, workspace },
    ...{ isPublished: false, claims: [], mailboxes: [] },
  }
  model.rows.push(added)
  world.rows.push({ id, token, name, model: added })
}

const actOn = async (world: World, row: Row, deed: Deed): Promise<void> => {
  const { app, people, names } = world
  const who = people[row.model.workspace]
  const name = names.get(row.name)
  if (!who || !name) return
  const now = app.clock.now().getTime()
  switch (deed) {
    case 'prove':
    case 'unprove':
      row.model.isPublished = deed === 'prove'
      break
    case 'replace':
      for (const other of name.rows) other.isPublished = other === row.model
      break
    case 'verify':
      // Refused when both proofs exist; in the model the claim does not start.
      await verifyOwnership(app, who, row.id).catch(isExpected)
      look(name, row.model, true, now)
      break
    case 'withdraw': {
      await withdrawClaim(app, who, row.id).catch(isExpected)
      const open = row.model.claims.find(({ outcome }) => outcome === 'open')
      if (open) Object.assign(open, { outcome: 'withdrawn', endedAt: now })
      break
    }
    case 'delete':
      await deleteDomain(app, who, row.id)
      giveUp(name, row.model)
      break
    case 'mailbox':
      if (name.holder === row.model) await makeMailbox(world, row)
  }
  world.rows = world.rows.filter((each) => names.get(each.name)?.rows.includes(each.model))
  publish(world, row.name)
}

const isExpected = (error: { type?: string }): void => {
  if (!['DOMAIN_HELD', 'NO_OPEN_CLAIM', 'NOT_EXISTS'].includes(error.type ?? '')) throw error
}

const makeMailbox = async ({ app }: World, row: Row): Promise<void> => {
  const localPart = 'ada'
  if (row.model.mailboxes.includes(localPart)) return
  const domain = await app.db
    .selectFrom('domains')
    .selectAll()
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow()
  await aMailbox(app, { domain, localPart })
  row.model.mailboxes.push(localPart)
}

/** A deleted row takes its record along: a record that another workspace left proves nothing. */
const publish = ({ dns, rows }: World, name: string): void => {
  const values = rows
    .filter((row) => row.name === name && row.model.isPublished)
    .map(({ token }) => `mailstead-verify=${token}`)
  if (values.length > 0) dns.zones.set(`_mailstead.${name}`, 'TXT', values)
  else dns.zones.remove(`_mailstead.${name}`)
}

/** The checks that the program makes by itself, each for one of the asking rows. */
const wait = async (world: World, chance: Chance): Promise<string> => {
  const rounds = chance.oneOf([1, 3, 4, 5, 6, LONGEST_WAIT])
  for (let round = 0; round < rounds; round++) {
    world.app.clock.advance({ hours: STEP_HOURS })
    for (const name of world.names.keys()) await lookBy(world, chance, name)
  }
  return `wait ${rounds}`
}

const lookBy = async (world: World, chance: Chance, name: string): Promise<void> => {
  const asking = world.rows.filter((row) => row.name === name)
  const row = asking[chance.between(0, Math.max(0, asking.length - 1))]
  const model = world.names.get(name)
  const workspaceId = row && world.people[row.model.workspace]?.workspaceId
  if (!row || !model || !workspaceId) return
  // While a workspace holds the name, only the ownership part of a check matters; a whole check takes five times as long.
  if (model.holder && chance.between(1, 5) > 1) await lookOnly(world, row)
  else await checkDomain(world.app, { id: row.id, workspaceId }, 'ownership')
  look(model, row.model, false, world.app.clock.now().getTime())
  world.rows = world.rows.filter((each) => world.names.get(each.name)?.rows.includes(each.model))
  publish(world, name)
}

const lookOnly = async ({ app, dns }: World, { id, name }: Row): Promise<void> => {
  const seen = lookOf(await dns.observe(`_mailstead.${name}`, 'TXT'))
  await followOwnership(app, { id, name, isAskedFor: false }, seen, app.clock.now())
}

/** DNS does not answer for a long time: nothing may change. */
const trouble = async (world: World): Promise<string> => {
  const { app, dns, rows, people } = world
  const before = await fingerprint(world)
  dns.isTroubled = true
  app.clock.advance({ days: 9 })
  for (const row of rows) {
    const workspaceId = people[row.model.workspace]?.workspaceId ?? ''
    await checkDomain(app, { id: row.id, workspaceId }, 'ownership')
  }
  dns.isTroubled = false
  const after = await fingerprint(world)
  if (before !== after) throw new Error(`resolver trouble changed ${before} to ${after}`)
  return 'trouble'
}
