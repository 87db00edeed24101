/** What has to be known when the provider sends the browser back. */
import type { Installation } from '#contract/installation.ts'

const KEY = 'mailstead-return'

/** The navigation state does not survive leaving the site; the session storage of the tab does. */
export const rememberReturn = (path: string): void => sessionStorage.setItem(KEY, path)

export function takeReturn(): string | null {
  const path = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return path
}

/** Google itself sends more than the standard asks for, and all of it has to be there. */
export function isComplete(
  query: URLSearchParams,
  installation: Pick<Installation, 'googleIsGoogle'>,
): boolean {
  const needed = installation.googleIsGoogle
    ? ['code', 'scope', 'authuser', 'prompt']
    : ['code', 'state']
  return needed.every((name) => query.get(name))
}
