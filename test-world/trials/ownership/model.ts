/** The rules of holding a name in their simplest form: no database, no mails, one name at a time. */

const DAY = 86_400_000
/** The most that counts of the time between two checks. */
const LONGEST_GAP = 1.5 * DAY

export type ClaimModel = {
  /** The row number of the holder's domain. */
  against: number
  decidesAt: number
  isHolderProven: boolean
  isReminded: boolean
  outcome: 'open' | 'won' | 'withdrawn' | 'both-proven' | 'lapsed' | 'overtaken'
  endedAt: number
}

export type RowModel = {
  /** Never reused: a domain that is added again is a new row. */
  row: number
  workspace: number
  isPublished: boolean
  claims: ClaimModel[]
  mailboxes: string[]
}

type Missing = {
  step: 'noticed' | 'warned' | 'stopped' | 'last-call'
  since: number
  lookedAt: number
  counted: number
  /** The time of the next step, in counted time. */
  due: number
}

export type NameModel = {
  rows: RowModel[]
  holder: RowModel | null
  missing: Missing | null
  isSendingStopped: boolean
  isReleasedOnce: boolean
}

export const newName = (): NameModel => ({
  rows: [],
  holder: null,
  missing: null,
  isSendingStopped: false,
  isReleasedOnce: false,
})

/** A definite DNS answer, looked up for one row. */
export const look = (name: NameModel, asker: RowModel, isAskedFor: boolean, now: number): void => {
  if (name.holder === null && asker.isPublished) name.holder = asker
  const open = name.rows
    .flatMap((row) => row.claims.map((claim) => ({ row, claim })))
    .filter(({ claim }) => claim.outcome === 'open')
    .toSorted((a, b) => a.claim.endedAt - b.claim.endedAt)
  for (const { row, claim } of open) decide(name, row, claim, now)
  follow(name, now)
  claimFor(name, asker, isAskedFor, now)
}

export const giveUp = (name: NameModel, row: RowModel): void => {
  name.rows = name.rows.filter((each) => each !== row)
  if (name.holder === row)
    Object.assign(name, { holder: null, missing: null, isSendingStopped: false })
}

const follow = (name: NameModel, now: number): void => {
  const { holder, missing } = name
  if (holder === null) return
  if (holder.isPublished) {
    name.missing = null
    name.isSendingStopped = false
  } else if (missing === null) {
    name.missing = { step: 'noticed', since: now, lookedAt: now, counted: 0, due: 7 * DAY }
  } else {
    missing.counted += Math.min(LONGEST_GAP, now - missing.lookedAt)
    missing.lookedAt = now
    step(name, missing, now)
  }
}

const step = (name: NameModel, missing: Missing, now: number): void => {
  const { counted } = missing
  if (missing.step === 'noticed') {
    if (now - missing.since < DAY) return
    missing.step = 'warned'
    missing.due = Math.max(missing.due, counted + 6 * DAY)
  } else if (missing.step === 'warned') {
    if (counted < missing.due) return
    missing.step = 'stopped'
    missing.due = counted + 30 * DAY
    name.isSendingStopped = true
  } else if (missing.step === 'stopped') {
    if (counted < missing.due - 7 * DAY) return
    missing.step = 'last-call'
    missing.due = Math.max(missing.due, counted + 7 * DAY)
  } else if (counted >= missing.due && name.holder) {
    giveUp(name, name.holder)
    name.isReleasedOnce = true
  }
}

const decide = (name: NameModel, row: RowModel, claim: ClaimModel, now: number): void => {
  const { holder } = name
  const end = (outcome: ClaimModel['outcome']) => Object.assign(claim, { outcome, endedAt: now })
  if (holder === row) return void end('won')
  if (holder === null) {
    if (!row.isPublished) end('lapsed')
    return
  }
  if (holder.row !== claim.against) return void end('overtaken')
  const wasProven = claim.isHolderProven
  claim.isHolderProven = holder.isPublished
  if (wasProven && !holder.isPublished) {
    claim.decidesAt = Math.max(claim.decidesAt, now + 2 * DAY)
    claim.isReminded = false
  } else if (!holder.isPublished && !claim.isReminded && now >= claim.decidesAt - DAY) {
    claim.decidesAt = Math.max(claim.decidesAt, now + DAY)
    claim.isReminded = true
  }
  if (now < claim.decidesAt) return
  if (!row.isPublished) end('lapsed')
  else if (holder.isPublished) end('both-proven')
  else {
    giveUp(name, holder)
    name.holder = row
    end('won')
  }
}

const claimFor = (name: NameModel, row: RowModel, isAskedFor: boolean, now: number): void => {
  const { holder } = name
  if (holder === null || holder === row || !row.isPublished) return
  const last = row.claims.at(-1)
  if (last?.outcome === 'open') return
  if (last && last.outcome !== 'overtaken') {
    if (!isAskedFor) return
    const isQuiet = last.outcome === 'both-proven' && now < last.endedAt + 30 * DAY
    if (isQuiet && holder.isPublished) return
  }
  row.claims.push({
    against: holder.row,
    decidesAt: now + (name.isSendingStopped ? 2 : 7) * DAY,
    isHolderProven: holder.isPublished,
    isReminded: false,
    outcome: 'open',
    // The start of an open claim.
    endedAt: now,
  })
}
