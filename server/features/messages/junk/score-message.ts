/** What one mailbox makes of a message that comes in. */
import type { Junk } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { likenessOf } from '#server/standards/junk/junk-model.ts'
import { domainOf, type MailFacts } from '#server/standards/junk/junk-rule.ts'
import {
  learntReason,
  ownNameReason,
  type Reason,
  reasonsOf,
  scoreOf,
} from '#server/standards/junk/junk-score.ts'
import { tokensOf, type Worded } from '#server/standards/junk/tokens.ts'
import { hasWrittenTo, type MailboxPlace } from './junk-store.ts'
import { knownModel } from './known-models.ts'

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

/** For postmaster@ and abuse@, where nobody says what is junk: by what is the same for all. */
export const scoreForRole = (facts: MailFacts, address: string): Junk =>
  scoreOf([...reasonsOf(facts), ...ownNameReason(facts, domainOf(address))], facts.isQuarantined)

/** Nobody's answer goes to Junk for its words alone. */
const excused =
  (from: string) =>
  ({ text }: Reason): Reason => ({ text: `${text}, but you have written to ${from}`, points: 0 })
