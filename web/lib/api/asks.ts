/** What a page will ask for at an address: the server asks for it ahead, and draws the page with the answers. */
import type { Answer } from '#contract/pages/first-view.ts'

/** Of a page, as its route's `handle` has it: the keys of its queries. */
export type Asks = (query: URLSearchParams) => Answer['key'][]
