/** Sends what the form of an operation holds, as a program would: the answer is shown as it came. */
import { API_PREFIX, WORKSPACE_HEADER } from '#contract/route.ts'
import { browserTokens, chosenWorkspace } from '#web/lib/api/access-token.ts'
import { refresh } from '#web/lib/api/api.ts'
import { wasSignedIn } from '#web/lib/api/session.ts'
import type { Operation } from './openapi-document.ts'

export type TryForm = { path: string; body: string; key: string }
export type Tried = { status: number; text: string } | { failed: string }

/** Fields with what is wrong in them; none: it can be sent. */
export const faultsOf = (
  { method, isOpen }: Operation,
  { path, body, key }: TryForm,
  isDemo: boolean,
): Partial<TryForm> => ({
  ...(!/^\/[^/]/.test(path) && { path: 'A path begins with one slash' }),
  ...(body !== '' && !isJson(body) && { body: 'This is not JSON' }),
  // Outside the demo nothing is changed by chance, in the session of somebody who reads how a call works (decision 128).
  ...(!isDemo &&
    !isOpen &&
    method !== 'GET' &&
    !key.trim() && { key: 'Enter a key: this changes something here' }),
})

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export const sendTry = async (operation: Operation, form: TryForm): Promise<Tried> => {
  const { path, body } = form
  const answer = await fetch(API_PREFIX + path, {
    method: operation.method,
    headers: {
      ...(operation.isOpen ? {} : await callerHeaders(form.key.trim())),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body }),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    text: isJson(text) ? JSON.stringify(JSON.parse(text), null, 2) : text,
  }
}

/** Of a key, or of the session that this browser has. */
const callerHeaders = async (key: string): Promise<Record<string, string>> => {
  if (key) return { authorization: `Bearer ${key}` }
  if (browserTokens.read() === null && wasSignedIn()) await refresh().catch(() => null)
  const [token, workspace] = [browserTokens.read(), chosenWorkspace.read()]
  return {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(workspace && { [WORKSPACE_HEADER]: workspace }),
  }
}
