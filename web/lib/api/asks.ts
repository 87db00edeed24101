/** What a page will ask for at an address: the server asks for it ahead, and draws the page with the answers. */
import type { Answer } from '#contract/first-view.ts'

/** Of a page, as its route's `handle` has it: the keys of its queries. `params` are the ids in its path. */
export type Asks = (
  query: URLSearchParams,
  params: Readonly<Record<string, string | undefined>>,
) => Answer['key'][]
