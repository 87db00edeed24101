/** The access token in its cookie: `{ token, tokenExpiresAt }` as JSON. An expired token counts as absent (decision 004). */

export const ACCESS_TOKEN_COOKIE = '_access_token'

export type TokenStore = {
  read(): string | null
  /** `expiresInSeconds` counts from now. */
  write(token: string, expiresInSeconds: number): void
  remove(): void
}

/** Finds the token in the text of `document.cookie`. null: none, or expired. */
export function tokenIn(cookies: string, now: number): string | null {
  const prefix = `${ACCESS_TOKEN_COOKIE}=`
  const pair = cookies.split('; ').find((cookie) => cookie.startsWith(prefix))
  if (!pair) return null
  try {
    const record: unknown = JSON.parse(decodeURIComponent(pair.slice(prefix.length)))
    if (typeof record !== 'object' || record === null) return null
    const { token, tokenExpiresAt } = record as { token?: unknown; tokenExpiresAt?: unknown }
    const isValid = typeof token === 'string' && typeof tokenExpiresAt === 'number'
    return isValid && tokenExpiresAt > now ? token : null
  } catch {
    return null
  }
}

export function tokenCookie(
  token: string,
  expiresInSeconds: number,
  now: number,
  isSecure: boolean,
): string {
  const tokenExpiresAt = now + expiresInSeconds * 1000
  const value = encodeURIComponent(JSON.stringify({ token, tokenExpiresAt }))
  const expires = new Date(tokenExpiresAt).toUTCString()
  return `${ACCESS_TOKEN_COOKIE}=${value}; Path=/; Expires=${expires}; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

export const browserTokens: TokenStore = {
  read: () => tokenIn(document.cookie, Date.now()),
  write: (token, expiresInSeconds) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we support
    document.cookie = tokenCookie(
      token,
      expiresInSeconds,
      Date.now(),
      location.protocol === 'https:',
    )
  },
  remove: () => {
    // biome-ignore lint/suspicious/noDocumentCookie: as above
    document.cookie = `${ACCESS_TOKEN_COOKIE}=; Path=/; Max-Age=0; SameSite=Lax`
  },
}

/** The workspace of this tab; null leaves the choice to the server. Removed when the session ends. */
const KEY = 'mailstead-workspace'

export const chosenWorkspace = {
  read: (): string | null =>
    typeof sessionStorage === 'undefined' ? null : sessionStorage.getItem(KEY),
  choose: (id: string): void => sessionStorage.setItem(KEY, id),
  forget: (): void => sessionStorage.removeItem(KEY),
}
