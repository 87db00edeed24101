/** The cookies of whoever looks at the page: of this browser, or of the request while the server draws one. */
let ofRequest = ''

export const readCookies = (): string =>
  typeof document === 'undefined' ? ofRequest : document.cookie

/** In the server only. */
export function lendCookies(cookies: string): void {
  ofRequest = cookies
}
