/** What one mailbox makes of a message that comes in. */

import type { FolderRole, Junk } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { domainOf } from '#server/standards/address.ts'
import {
  emptyModel,
  type JunkModel,
  type Kind,
  learn,
  likenessOf,
} from '#server/standards/junk/junk-model.ts'
import type { MailFacts } from '#server/standards/junk/junk-rule.ts'
import {
  learntReason,
  ownNameReason,
  type Reason,
  reasonsOf,
  scoreOf,
} from '#server/standards/junk/junk-score.ts'
import { tokensOf, type Worded } from '#server/standards/junk/tokens.ts'
import type { Db } from '#server/storage/database.ts'
import {
  hasWrittenTo,
  type MailboxPlace,
  noteLearnt,
  readForLearning,
  readModel,
  writeModel,
} from './junk-store.ts'

export type Recipient = MailboxPlace & { email: string }

/** For each recipient in turn; what is the same for all is found out once. */
export const messageScorer = (
  app: App,
  facts: MailFacts,
  worded: Worded,
): ((recipient: Recipient) => Promise<Junk>) => {
  const common = reasonsOf(facts)
  let tokens: string[] | null = null
  return async (recipient) => {
    const reasons = [...common, ...ownNameReason(facts, domainOf(recipient.email))]
    const without = scoreOf(reasons, facts.isQuarantined)
    const model = await knownModel(app, recipient)
    if (model === null) return without
    tokens ??= tokensOf(worded)
    const likeness = likenessOf(model, tokens)
    const learnt = likeness === null ? [] : learntReason(likeness)
    const whole = scoreOf([...reasons, ...learnt], facts.isQuarantined)
    if (!whole.isJunk || without.isJunk) return whole
    const from = facts.from?.address ?? ''
    if (from === '' || !(await hasWrittenTo(app.db, recipient, from))) return whole
    return scoreOf([...reasons, ...learnt.map(excused(from))], facts.isQuarantined)
  }
}

const KEEP_MS = 2_000
/** A model has 64 kB; most mailboxes have none. */
const MAX_MODELS = 200
const MAX_KNOWN = 10_000

type Known = { model: Promise<JunkModel | null>; until: number }
type Models = { known: Map<string, Known>; held: number }
const modelsOf = new WeakMap<App['db'], Models>()

/**
 * Models of mailboxes, kept for two seconds: accepting mail must not read them again for every message. What was learnt
 * in this process counts at once, what was learnt in another one a moment later.
 * null when the mailbox has learnt nothing.
 */
export const knownModel = (app: App, place: MailboxPlace): Promise<JunkModel | null> => {
  const models = modelsOf.get(app.db) ?? { known: new Map<string, Known>(), held: 0 }
  modelsOf.set(app.db, models)
  const now = performance.now()
  const kept = models.known.get(place.mailboxId)
  if (kept !== undefined && kept.until > now) return kept.model
  if (models.held >= MAX_MODELS || models.known.size >= MAX_KNOWN) {
    models.known.clear()
    models.held = 0
  }
  const model = readModel(app.db, place)
  models.known.set(place.mailboxId, { model, until: now + KEEP_MS })
  model.then(
    (found) => {
      if (found !== null) models.held++
    },
    () => models.known.delete(place.mailboxId),
  )
  return model
}

export const forgetModel = (app: App, mailboxId: string): void => {
  modelsOf.get(app.db)?.known.delete(mailboxId)
}

/** For postmaster@ and abuse@, where nobody says what is junk: by what is the same for all. */
export const scoreForRole = (facts: MailFacts, address: string): Junk =>
  scoreOf([...reasonsOf(facts), ...ownNameReason(facts, domainOf(address))], facts.isQuarantined)

/** Nobody's answer goes to Junk for its words alone. */
const excused =
  (from: string) =>
  ({ text }: Reason): Reason => ({ text: `${text}, but you have written to ${from}`, points: 0 })

type Role = FolderRole | null

/**
 * 'Junk' and 'not junk' are moves into Junk and out of it. What is put away into Archive or a folder of one's own is kept,
 * so it is learnt as good mail; Trash says nothing, and one's own mail is nobody's junk.
 * Within the transaction of the move, the mailbox's row locked. `forgetModel` belongs after it.
 */
export const learnFromMove = async (
  tx: Db,
  place: MailboxPlace,
  messageId: string,
  { from, to }: { from: Role; to: Role },
): Promise<void> => {
  const isOwn = [from, to].some((role) => role === 'sent' || role === 'drafts')
  if (isOwn || to === 'trash') return
  const message = await readForLearning(tx, place, messageId)
  if (message === undefined) return
  const { learntAs } = message
  const wasJunk = from === 'junk' || learntAs === 'junk'
  const kind = kindOf(to, wasJunk)
  if (kind === null || kind === learntAs) return
  const tokens = tokensOf(message)
  const known = (await readModel(tx, place)) ?? emptyModel()
  const unlearnt = learntAs === null ? known : learn(known, tokens, learntAs, -1)
  await writeModel(tx, place, learn(unlearnt, tokens, kind, 1))
  await noteLearnt(tx, place, messageId, kind)
}

const kindOf = (to: Role, wasJunk: boolean): Kind | null => {
  if (to === 'junk') return 'junk'
  return wasJunk || to === 'archive' || to === null ? 'good' : null
}
