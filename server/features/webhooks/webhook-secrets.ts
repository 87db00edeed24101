/** Secrets and signatures of Standard Webhooks. A secret leaves this file only when it is made. */
import { createHmac, randomBytes } from 'node:crypto'
import type { App } from '#server/app.ts'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

export const sealSecret = ({ secrets }: App, webhookId: string, secret: string): string =>
  secrets.encrypt(secret, contextOf(webhookId))

type Sealed = {
  webhookId: string
  secretSealed: string
  formerSecretSealed: string | null
  formerUntil: Date | null
}

/** Those that sign now, the newest first. */
export const secretsOf = (app: App, row: Sealed, now: Date): string[] => {
  const { webhookId, secretSealed, formerSecretSealed, formerUntil } = row
  const isFormerGood = formerUntil !== null && formerUntil > now
  return [secretSealed, isFormerGood ? formerSecretSealed : null].flatMap((sealed) =>
    sealed === null ? [] : [app.secrets.decrypt(sealed, contextOf(webhookId))],
  )
}

/** The three headers; one signature for each secret. */
export const signedHeaders = (
  secrets: readonly string[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

const contextOf = (webhookId: string): string => `webhook:${webhookId}`
