/** What stood in DNS, fit to be stored and shown: without controls (PostgreSQL takes no NUL). */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029\ufffe\uffff]/gu, '\ufffd')
