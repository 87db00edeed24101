/** An API client that keeps cookies like a browser, each on its path. */
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { App } from '#server/app.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'

export type ApiAnswer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every route
  body: any
  headers: Record<string, string | string[] | number | undefined>
}

export type ApiClient = {
  call(method: string, path: string, body?: unknown, headers?: Headers): Promise<ApiAnswer>
  cookies: Map<string, { value: string; path: string }>
}

type Headers = Record<string, string>

/** Paths are below /api/v1. */
export const anApiClient = (server: FastifyInstance, always: Headers = {}): ApiClient => {
  const cookies: ApiClient['cookies'] = new Map()
  return {
    cookies,
    call: async (method, path, body, headers = {}) => {
      const url = `/api/v1${path}`
      const cookie = [...cookies]
        .filter(([, { path: below }]) => url.startsWith(below))
        .map(([name, { value }]) => `${name}=${value}`)
        .join('; ')
      const answer = await server.inject({
        method: method as NonNullable<InjectOptions['method']>,
        url,
        headers: { ...always, ...headers, ...(cookie ? { cookie } : {}) },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      for (const { name, value, path: below = '/', maxAge, expires } of answer.cookies as {
        name: string
        value: string
        path?: string
        maxAge?: number
        expires?: Date
      }[])
        if (value === '' || maxAge === 0 || expires?.getTime() === 0) cookies.delete(name)
        else cookies.set(name, { value, path: below })
      const text = answer.body
      return {
        status: answer.statusCode,
        body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
        headers: answer.headers,
      }
    },
  }
}

/** The token in the newest link of this kind that was mailed to the address. */
export const mailedToken = async (
  app: App,
  to: string,
  page: 'verify-email' | 'create-new-password' | 'invitation' | 'mailbox-access',
): Promise<string> => {
  const mails = await listHeldMails(app)
  const mail = mails.find((held) => held.to === to && held.link?.includes(`/${page}?token=`))
  const token = mail?.link && new URL(mail.link).searchParams.get('token')
  if (!token) throw new Error(`no ${page} link was mailed to ${to}`)
  return token
}

export const mailsTo = async (app: App, to: string): Promise<number> =>
  (await listHeldMails(app)).filter((held) => held.to === to).length

export const aSignUp = (email: string, changes: Record<string, unknown> = {}) => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  email,
  password: 'Engine-No-1!',
  confirmPassword: 'Engine-No-1!',
  termsAccepted: true,
  ...changes,
})

/** Signs up and opens the mailed link. Returns the body of the answer to verify-email. */
export const aVerifiedAccount = async (
  app: App,
  client: ApiClient,
  email: string,
): Promise<ApiAnswer['body']> => {
  const signUp = await client.call('POST', '/auth/register', aSignUp(email))
  if (signUp.status !== 201) throw new Error(`sign-up answered ${signUp.status}`)
  const session = await mailedToken(app, email, 'verify-email')
  return (await client.call('POST', '/auth/verify-email', { session })).body
}
