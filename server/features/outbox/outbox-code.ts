/** The page of held mails opens with a code that only the terminal shows: whoever reads a mailed link owns the account. */
import type { App } from '#server/app.ts'
import { equalBytes } from '#server/lib/secrets.ts'

const codeOf = (app: Pick<App, 'secrets'>): string =>
  app.secrets.mac('outbox page').toString('base64url').slice(0, 22)

export const outboxUrl = (app: Pick<App, 'secrets' | 'config'>): string =>
  `${app.config.publicUrl}/dev/outbox?code=${codeOf(app)}`

export const isOutboxCode = (app: Pick<App, 'secrets'>, given: unknown): boolean =>
  typeof given === 'string' && equalBytes(Buffer.from(given), Buffer.from(codeOf(app)))
