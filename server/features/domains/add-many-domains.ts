/** Adds many domains by one call: the good rows, or all or none of them (decision 058). */
import { deletedSentence } from '#contract/deletions.ts'
import { addDomainForm } from '#contract/domains.ts'
import { AppError } from '#contract/errors.ts'
import { type AddedRow, MAX_ADDED_AT_ONCE } from '#contract/many-domains.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { HOUR_SECONDS } from '#server/lib/clock.ts'
import { openTurnsOfEach } from '#server/lib/turns/turns.ts'
import { readDomainName, toUnicodeDomain } from '#server/standards/domain-name.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { type Prepared, prepareDomain, storeDomain } from './add-domain.ts'
import { domainsNamed } from './domain-queries.ts'

/** Two lists of the greatest length; beside the hundred a minute that are added one by one. */
const ADDING_MANY = { limit: 2 * MAX_ADDED_AT_ONCE, windowSeconds: HOUR_SECONDS }
/** A list waits for the workspace's list before it, so that one workspace has one key in the making. */
const lists = openTurnsOfEach(1)

type Form = { names: string[]; mode: 'all' | 'good' }

const EXISTS = 'This domain is already in your workspace'

/**
 * Answers with a row for each name, in their order. Keys are made one after the other before the transaction starts, so that
 * other workspaces get their turns in between.
 * @throws TOO_MANY_REQUESTS; DOMAIN_EXISTS when a name of `all` was added meanwhile
 */
export const addManyDomains = (app: App, who: Who, form: Form): Promise<AddedRow[]> =>
  lists.take(who.workspaceId, async () => {
    const rows = await judge(app, who, form.names)
    const good = rows.filter(({ outcome }) => outcome === 'added')
    if (form.mode === 'all' && good.length < rows.length) return rows.map(leave)
    if (good.length === 0) return rows
    await spendThrottle(app, `add-many-domains:${who.workspaceId}`, ADDING_MANY, good.length)
    const prepared: Prepared[] = []
    for (const { name } of good) prepared.push(await prepareDomain(app, who, name))
    return app.db.transaction().execute(async (tx) => {
      const stored = new Map<string, string>()
      for (const domain of prepared)
        if (await storeDomain(tx, domain)) stored.set(domain.row.name, domain.row.id)
      // Another call added one of them meanwhile.
      if (form.mode === 'all' && stored.size < prepared.length) throw new AppError('DOMAIN_EXISTS')
      await announceChange(tx, { topic: 'domains', workspaceId: who.workspaceId })
      return rows.map((row) => withId(row, stored))
    })
  })

/** `added` stands for every row that can be. */
const judge = async (app: App, who: Who, names: readonly string[]): Promise<AddedRow[]> => {
  const seen = new Set<string>()
  const rows = names.map((given): AddedRow => {
    const read = nameOf(app, given)
    if ('refusal' in read)
      return { name: given, outcome: 'refused', message: read.refusal, id: null }
    const isRepeated = seen.has(read.name)
    seen.add(read.name)
    return isRepeated
      ? { name: read.name, outcome: 'repeated', message: 'Already in this list', id: null }
      : { name: read.name, outcome: 'added', message: '', id: null }
  })
  const there = new Map(
    (await domainsNamed(app.db, who.workspaceId, [...seen])).map((domain) => [domain.name, domain]),
  )
  return rows.map((row) => {
    const domain = there.get(row.name)
    if (row.outcome !== 'added' || domain === undefined) return row
    const { id, endsAt } = domain
    if (endsAt === null) return { ...row, outcome: 'exists', message: EXISTS, id }
    const message = deletedSentence(toUnicodeDomain(row.name), endsAt)
    return { ...row, outcome: 'refused', message, id: null }
  })
}

const nameOf = (app: App, given: string) => {
  const parsed = addDomainForm.safeParse({ name: given })
  if (!parsed.success) return { refusal: parsed.error.issues[0]?.message ?? 'Invalid domain' }
  return readDomainName(parsed.data.name, app.config.allowLoopbackPeers)
}

const leave = (row: AddedRow): AddedRow =>
  row.outcome === 'added'
    ? { ...row, outcome: 'left', message: 'Not added, because other rows cannot be' }
    : row

/** A row that another call added meanwhile is there already. */
const withId = (row: AddedRow, stored: ReadonlyMap<string, string>): AddedRow => {
  if (row.outcome !== 'added') return row
  const id = stored.get(row.name)
  return id === undefined ? { ...row, outcome: 'exists', message: EXISTS } : { ...row, id }
}
