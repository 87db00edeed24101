/**
 * What one page needs while the server draws it. All of it is in a context: pages of two users may be drawn at the same time,
 * so no module keeps anything of a request (decision 051).
 */
import type { QueryClient } from '@tanstack/react-query'
import { createContext } from 'react'
import type { User } from '#contract/auth.ts'
import type { Arguments, Output, Route } from '#contract/route.ts'

export type PageRequest = {
  /** Null draws what visitors see. */
  user: User | null
  /** As the Cookie header has them. */
  cookies: string
  queries: QueryClient
}

/** Null in the browser. */
export const PageRequestContext = createContext<PageRequest | null>(null)

/** Puts the answer where `useApi` looks for it; undefined when the API refuses. */
export type Ask = <R extends Route>(route: R, args: Arguments<R>) => Promise<Output<R> | undefined>

/**
 * Asks for what a page shows at first, before the server draws it; stands beside the page, as `handle.load` of its route.
 * `params` are the ids in the path.
 */
export type LoadPage = (page: {
  ask: Ask
  query: URLSearchParams
  params: Readonly<Record<string, string | undefined>>
}) => Promise<unknown>
