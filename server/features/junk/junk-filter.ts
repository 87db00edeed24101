/** The junk decision of a mailbox about an incoming message. */

import type { FolderRole, Junk } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { remembered } from '#server/lib/cache.ts'
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
import { hasWrittenTo, type MailboxPlace, readModel, writeModel } from './junk-store.ts'

export type Recipient = MailboxPlace & { email: string }

/** Called per recipient; facts that are the same for all are computed once. */
export const messageScorer = (
  app: App,
  facts: MailFacts,
  worded: Worded,
): ((recipient: Recipient) => Promise<Junk>) => {
  const common = reasonsOf(facts)
  let tokens: string[] | null = null
  return async (recipient) => {
    const reasons = [...common, ...ownNameReason(facts, domainOf(recipient.email))]
    const without = scoreOf(reasons, facts)
    const model = await knownModel(app, recipient)
    if (model === null) return without
    tokens ??= tokensOf(worded)
    const likeness = likenessOf(model, tokens)
    const learnt = likeness === null ? [] : learntReason(likeness)
    const whole = scoreOf([...reasons, ...learnt], facts)
    if (!whole.isJunk || without.isJunk) return whole
    const from = facts.from?.address ?? ''
    if (from === '' || !(await hasWrittenTo(app.db, recipient, from))) return whole
    return scoreOf([...reasons, ...learnt.map(excused(from))], facts)
  }
}

/**
 * Models of mailboxes, cached for two seconds, so that not every message reads its model. Changes made
 * in this process count at once, those of other processes after at most that time.
 * null: the mailbox has no model.
 */
const knownModel = ({ db, caches }: App, place: MailboxPlace): Promise<JunkModel | null> =>
  remembered(caches.junkModels, place.mailboxId, () => readModel(db, place))

/** For postmaster@ and abuse@, which have no model: decided by the shared facts alone. */
export const scoreForRole = (facts: MailFacts, address: string): Junk =>
  scoreOf([...reasonsOf(facts), ...ownNameReason(facts, domainOf(address))], facts)

/** An answer to own mail never goes to Junk for its words alone. */
const excused =
  (from: string) =>
  ({ text }: Reason): Reason => ({ text: `${text}, but you have written to ${from}`, points: 0 })

type Role = FolderRole | null

/** A message that moves: its words, and what was learnt of it before. */
export type Learnable = Worded & { learntAs: Kind | null }

/**
 * Moves into Junk and out of it teach 'junk' and 'not junk'. Mail filed into Archive or an own folder was worth keeping,
 * so it is learnt as good mail. Moves to Trash teach nothing, and neither does mail that the mailbox sent.
 * Call within the transaction of the move, with the mailbox's row locked; delete its entry in `caches.junkModels` after it.
 * @returns what was learnt, to be stored with the message; null: nothing.
 */
export const learnFromMove = async (
  tx: Db,
  place: MailboxPlace,
  { from, to }: { from: Role; to: Role },
  read: () => Promise<Learnable | undefined>,
): Promise<Kind | null> => {
  const isOwn = [from, to].some((role) => role === 'sent' || role === 'drafts')
  if (isOwn || to === 'trash') return null
  const message = await read()
  if (message === undefined) return null
  const { learntAs } = message
  const wasJunk = from === 'junk' || learntAs === 'junk'
  const kind = kindOf(to, wasJunk)
  if (kind === null || kind === learntAs) return null
  const tokens = tokensOf(message)
  const known = (await readModel(tx, place)) ?? emptyModel()
  const unlearnt = learntAs === null ? known : learn(known, tokens, learntAs, -1)
  await writeModel(tx, place, learn(unlearnt, tokens, kind, 1))
  return kind
}

const kindOf = (to: Role, wasJunk: boolean): Kind | null => {
  if (to === 'junk') return 'junk'
  return wasJunk || to === 'archive' || to === null ? 'good' : null
}
