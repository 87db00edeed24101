/** What a directory finds when it looks whether a name leads here. Any process answers: the answers are in the database. */
import type { App } from '#server/app.ts'
import { type ChallengeAnswer, challengeCertificate } from '#server/lib/acme/challenges.ts'
import type { SelfSigned } from '#server/lib/tls/self-signed.ts'
import { findAnswer, findAnswerOf } from './acme-store.ts'

/** Of RFC 8555 section 8.3: base64url; a longer one is none of ours. */
const TOKEN = /^[\w-]{16,200}$/

/** The text for http-01; null: nobody asks with this token. */
export const answerByText = async (app: App, token: string): Promise<string | null> => {
  const found = TOKEN.test(token) ? await findAnswer(app.db, token, app.clock.now()) : undefined
  return found?.keyAuthorization ?? null
}

/** The certificate for tls-alpn-01; null: nobody asks for this name. */
export const answerByCertificate = async (app: App, name: string): Promise<SelfSigned | null> => {
  const found = await findAnswerOf(app.db, name, app.clock.now())
  if (found === undefined) return null
  const answer: ChallengeAnswer = { name, ...found }
  return challengeCertificate(answer, app.clock.now())
}
