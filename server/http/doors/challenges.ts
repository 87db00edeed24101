/** What a directory reads to see that a name leads here (RFC 8555 section 8.3); on every port without TLS, and behind a proxy. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { answerByText } from '#server/features/certificates/answer-challenge.ts'

export const CHALLENGES = '/.well-known/acme-challenge/'

export const registerChallenges = (server: FastifyInstance, app: App): void => {
  server.get(`${CHALLENGES}:token`, async (request, reply) => {
    const { token } = request.params as { token: string }
    const text = await answerByText(app, token)
    if (text === null) throw new AppError('NOT_EXISTS')
    return reply
      .header('content-type', 'application/octet-stream')
      .header('cache-control', 'no-store')
      .send(text)
  })
}
