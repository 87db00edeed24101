/** What a page will ask for at an address: the server asks for it ahead, and draws the page with the answers. */
import type { Arguments, Route } from '#contract/route.ts'

export type Ask = readonly [route: Pick<Route, 'path'>, args: Record<string, unknown>]
/** Of a page, as its route's `handle` has it. */
export type Asks = (query: URLSearchParams) => Ask[]

/** With the arguments that the endpoint takes. */
export const ask = <R extends Route>(route: R, args: Arguments<R>): Ask => [
  route,
  args as Record<string, unknown>,
]
