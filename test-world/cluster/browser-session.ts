/** One sign-in of a browser: its access token is good for ten minutes, and the page gets another one by its cookie before that. */
import { PASSWORD } from '../trials/account.ts'

/** Half of the life of an access token: what fails now is tried again long before it ends. */
const RENEWED_AFTER_MS = 5 * 60_000
const PATIENCE_MS = 5_000

export type BrowserSession = {
  /** @throws when the session cannot be renewed now. One that has ended is a fault. */
  token(): Promise<string>
  renewals(): number
}

type SignIn = { url: string; email: string; faults: string[] }

/** @throws unless the password is accepted */
export const signIn = async ({ url, email, faults }: SignIn): Promise<BrowserSession> => {
  let renewals = 0
  let { token, cookie } = await keysOf(await login(url, email))
  let renewedAt = performance.now()
  /** The cookie is another one after each renewal: two at once would look like a theft. */
  let renewing: Promise<void> | null = null
  const renew = async () => {
    const answer = await post(`${url}/api/v1/auth/refresh`, { headers: { cookie } })
    if (answer.status === 401)
      faults.push(`a session was lost: its renewal was answered 401 ${await answer.clone().text()}`)
    ;({ token, cookie } = await keysOf(answer))
    renewedAt = performance.now()
    renewals += 1
  }
  return {
    renewals: () => renewals,
    token: async () => {
      if (performance.now() - renewedAt < RENEWED_AFTER_MS) return token
      renewing ??= renew().finally(() => {
        renewing = null
      })
      await renewing
      return token
    },
  }
}

const login = (url: string, email: string) =>
  post(`${url}/api/v1/auth/login`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })

const post = (url: string, init: RequestInit) =>
  fetch(url, { ...init, method: 'POST', signal: AbortSignal.timeout(PATIENCE_MS) })

const keysOf = async (answer: Response): Promise<{ token: string; cookie: string }> => {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status} ${text}`)
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0] ?? '')
    .find((each) => /_refresh=./.test(each))
  if (cookie === undefined) throw new Error('the answer sets no refresh cookie')
  return { token: JSON.parse(text).token, cookie }
}
