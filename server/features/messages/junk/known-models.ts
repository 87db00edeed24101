/**
 * Models of mailboxes, kept for two seconds: accepting mail must not read them again for every message. What was learnt
 * in this process counts at once, what was learnt in another one a moment later.
 */
import type { App } from '#server/app.ts'
import type { JunkModel } from '#server/standards/junk/junk-model.ts'
import { type MailboxPlace, readModel } from './junk-store.ts'

const KEEP_MS = 2_000
/** A model has 64 kB; most mailboxes have none. */
const MAX_MODELS = 200
const MAX_KNOWN = 10_000

type Known = { model: Promise<JunkModel | null>; until: number }
type Models = { known: Map<string, Known>; held: number }
const modelsOf = new WeakMap<App['db'], Models>()

/** null when the mailbox has learnt nothing. */
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
