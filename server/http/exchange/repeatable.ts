/** Reads the Idempotency-Key of a request, and answers its repetition (decision 121). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { IDEMPOTENCY_HEADER, pay } from '#contract/billing.ts'
import { invalidField } from '#contract/errors.ts'
import type { Route } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { answerOnce } from '#server/features/limits/answer-once.ts'

const WRONG_KEY = 'A key has 1 to 200 printable characters'

/** Tells a program that nothing was done this time. */
const REPEATED_HEADER = 'idempotency-replayed'

type Act = () => Promise<{ status: number; body: string }>

/** Payments have keys of their own, which hold for ever. Without a caller nobody can say whose key it is. */
const takesKey = (route: Route): boolean =>
  route.method === 'POST' && route.access !== 'anyone' && route.name !== pay.name

/** Runs `act` once for its key, or every time without one. @throws VALIDATION at the header */
export const actOnce = async (
  app: App,
  route: Route,
  { request, reply, input }: { request: FastifyRequest; reply: FastifyReply; input: unknown },
  act: Act,
): Promise<{ status: number; body: string }> => {
  const key = request.headers[IDEMPOTENCY_HEADER]?.toString()
  const { caller } = request
  if (key === undefined || caller === null || !takesKey(route)) return act()
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw invalidField(IDEMPOTENCY_HEADER, WRONG_KEY)
  const place = {
    workspaceId: caller.workspaceId,
    callerId: caller.keyId ?? caller.userId,
    isProgram: caller.keyId !== undefined,
    key,
  }
  const asked = [route.name, JSON.stringify(input), request.file ?? '']
  const { isRepeated, ...answer } = await answerOnce(app, place, asked, act)
  if (isRepeated) reply.header(REPEATED_HEADER, 'true')
  return answer
}
