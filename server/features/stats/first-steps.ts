/** How far the domains of a workspace are on the way to working mail (decision 056). */
import { AppError } from '#contract/errors.ts'
import {
  type DomainSteps,
  type FirstDays,
  type getFirstSteps as getFirstStepsRoute,
  isFinished,
  MOST_UNFINISHED,
  MOST_WORKING,
  mailWorks,
  stepsLeft,
} from '#contract/first-steps.ts'
import { memberCan } from '#contract/rights.ts'
import type { Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { readDues } from '#server/features/billing/due-queries.ts'
import {
  keepFirstMail,
  noteWorksSeen,
  readFirstMail,
  youngestActiveSince,
} from '#server/features/domains/first-mail-queries.ts'
import { listDomainHealth } from '#server/features/domains/list-health.ts'
import { readMailboxUse } from '#server/features/mailboxes/use-queries.ts'
import { limitsAt, rampEndsAt } from '#server/features/sending/limits.ts'
import { readWorkspace } from '#server/features/tenants/workspace-queries.ts'
import { isId } from '#server/lib/ids.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { firstMailFromOutside, firstMailToOutside } from './first-steps-store.ts'

type Place = Pick<Who, 'workspaceId'>

/** Domains that nobody uses for mail are left out, unless mail to them goes nowhere. */
export const getFirstSteps = async (
  app: App,
  who: Place & Pick<Who, 'role'>,
): Promise<Output<typeof getFirstStepsRoute>> => {
  const [all, firstDays, due] = await Promise.all([
    readSteps(app, who, null),
    firstDaysOf(app, who),
    memberCan(who.role, 'manage-billing') ? readDues(app.db, who.workspaceId) : null,
  ])
  const unfinished = all
    .filter(
      (steps) =>
        !isFinished(steps) &&
        (steps.mailboxes + steps.unpaid > 0 || (!steps.isMailOurs && steps.mailTo === null)),
    )
    .toSorted((a, b) => stepsLeft(a) - stepsLeft(b))
  return {
    ...{ items: unfinished.slice(0, MOST_UNFINISHED), total: unfinished.length, firstDays },
    working: all.filter((steps) => mailWorks(steps) && !steps.worksSeen).slice(0, MOST_WORKING),
    dues: due && due.count > 0 ? { ...due, currency: app.config.currency } : null,
  }
}

/** Those of the youngest active domain, which hold longest; null without an active domain, too. */
const firstDaysOf = async (app: App, { workspaceId }: Place): Promise<FirstDays | null> => {
  const [workspace, youngest] = await Promise.all([
    readWorkspace(app.db, workspaceId),
    youngestActiveSince(app.db, workspaceId),
  ])
  if (youngest === null) return null
  const { createdAt } = workspace
  const knownSince = youngest < createdAt ? youngest : createdAt
  const now = app.clock.now()
  const until = rampEndsAt(app.config, knownSince, now)
  const { mailbox } = limitsAt(app.config, knownSince, now)
  return until && { ...mailbox, until: until.toISOString() }
}

export const getDomainSteps = async (app: App, who: Place, id: string): Promise<DomainSteps> => {
  const [steps] = isId(id) ? await readSteps(app, who, [id]) : []
  if (!steps) throw new AppError('NOT_EXISTS')
  return steps
}

/** 'Mail works now' is said once, until one of those who manage domains has read it. @throws NOT_EXISTS */
export const markWorksSeen = async (
  app: App,
  { workspaceId }: Place,
  id: string,
): Promise<{ message: string }> => {
  const seen = { id, at: app.clock.now() }
  if (!isId(id) || !(await noteWorksSeen(app.db, workspaceId, seen)))
    throw new AppError('NOT_EXISTS')
  await announceChange(app.db, { topic: 'domains', workspaceId })
  return { message: 'Noted' }
}

/** Of all active domains, or of these, newest first. */
const readSteps = async (
  app: App,
  who: Place,
  ids: readonly string[] | null,
): Promise<DomainSteps[]> => {
  const { workspaceId } = who
  const domains = (await readFirstMail(app.db, workspaceId, ids)).filter(
    ({ isActive }) => ids !== null || isActive,
  )
  const known = domains.map(({ id }) => id)
  const [health, use] = await Promise.all([
    listDomainHealth(app, who, known),
    readMailboxUse(app.db, workspaceId, app.clock.now()),
  ])
  const used = use.filter(({ mailboxes }) => mailboxes > 0).map(({ domainId }) => domainId)
  const first = await lookForMail(app, workspaceId, domains, new Set(used))
  return domains.map(({ id, name, mailCameAt, mailWentAt, worksSeenAt }) => {
    const { isMailOurs = false, mailTo = null } = health.find(({ _id }) => _id === id) ?? {}
    const counts = use.find(({ domainId }) => domainId === id)
    return {
      ...{ _id: id, unicodeName: toUnicodeDomain(name), isMailOurs, mailTo },
      mailboxes: counts?.mailboxes ?? 0,
      inUse: counts?.inUse ?? 0,
      linksOut: counts?.linksOut ?? 0,
      unpaid: counts?.unpaid ?? 0,
      addresses: counts?.addresses ?? [],
      hasCatchAll: counts?.hasCatchAll ?? false,
      cameAt: (mailCameAt ?? first.came.get(id))?.toISOString() ?? null,
      wentAt: (mailWentAt ?? first.went.get(id))?.toISOString() ?? null,
      worksSeen: worksSeenAt !== null,
    }
  })
}

type Domain = Awaited<ReturnType<typeof readFirstMail>>[number]

/** Looks for what is not known yet, and keeps what is found. */
const lookForMail = async (
  app: App,
  workspaceId: string,
  domains: readonly Domain[],
  used: ReadonlySet<string>,
) => {
  const looked = domains.filter(({ id }) => used.has(id))
  const idsOf = (rows: readonly Domain[]) => rows.map(({ id }) => id)
  const [cameTo, wentFrom] = await Promise.all([
    firstMailFromOutside(app.db, workspaceId, idsOf(looked.filter((row) => !row.mailCameAt))),
    firstMailToOutside(app.db, workspaceId, idsOf(looked.filter((row) => !row.mailWentAt))),
  ])
  const came = new Map(cameTo.map(({ id, at }) => [id, at]))
  const went = new Map(wentFrom.map(({ id, at }) => [id, at]))
  for (const id of new Set([...came.keys(), ...went.keys()]))
    await keepFirstMail(app.db, workspaceId, {
      ...{ id, cameAt: came.get(id) ?? null, wentAt: went.get(id) ?? null },
    })
  return { came, went }
}
