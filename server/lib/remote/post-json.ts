/** Posts to an address that the operator chose, which may be private. What strangers choose goes by `get-remote.ts`. */
import { NotFetched } from './get-remote.ts'

/** Follows no redirect and reads no answer. @throws NotFetched unless the answer is 2xx. */
export const postJson = async (address: string, body: object, wholeMs: number): Promise<void> => {
  const signal = AbortSignal.timeout(wholeMs)
  const { url, authorization } = withoutPassword(address)
  let status: number
  try {
    const answer = await fetch(url, {
      ...{ method: 'POST', redirect: 'manual', signal, body: JSON.stringify(body) },
      headers: {
        ...{ 'content-type': 'application/json', 'user-agent': 'Mailstead' },
        ...(authorization !== null && { authorization }),
      },
    })
    status = answer.status
    await answer.body?.cancel()
  } catch (error) {
    throw new NotFetched(signal.aborted ? 'it took too long' : causeOf(error))
  }
  if (status < 200 || status > 299) throw new NotFetched(`it answers ${status}`)
}

/** `fetch` takes no password in an address. */
const withoutPassword = (address: string) => {
  const url = new URL(address)
  const { username, password } = url
  if (username === '' && password === '') return { url, authorization: null }
  url.username = ''
  url.password = ''
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { url, authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** `fetch` itself says only that it failed. */
const causeOf = (error: unknown): string => {
  const { message, cause } = error as Error
  if (!(cause instanceof Error)) return message
  return cause.message || ('code' in cause ? String(cause.code) : message)
}
