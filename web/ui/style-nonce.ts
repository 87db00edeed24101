/** Libraries that add a <style> at run time must set the nonce of the page's Content-Security-Policy. */

export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

/** The scroll lock of dialogs and menus reads this global variable. */
export function shareStyleNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() })
}
