/** Payloads are made of families by contexts: each of the one in each of the other. */

/** What every payload tries to run: a mark that the story looks for. */
export const RUN = 'top.pwned=1;alert(1)'

/** Every a with every b. */
export const each = <A, B, C>(as: readonly A[], bs: readonly B[], make: (a: A, b: B) => C): C[] =>
  as.flatMap((a) => bs.map((b) => make(a, b)))

/** Numeric character references of all signs. */
export const asReferences = (text: string): string =>
  [...text].map((sign) => `&#${sign.codePointAt(0)};`).join('')
