/**
 * What the server draws of a page before any script has run: the same components, with what the API answers.
 * The web app takes it over as it is (hydration), so that nothing is drawn or asked for twice.
 */
import type { User } from './auth.ts'

/** A query of the web app: its key, which is the endpoint's path with its arguments, and what was answered. */
export type Answer = { key: readonly [path: string, args: Record<string, unknown>]; data: unknown }

/** Stands in the page as JSON, for the web app to go on with. */
export type FirstAnswers = {
  user: User
  answers: Answer[]
  /** The last change that was told before they were asked for, as `Last-Event-ID` of the events names it. */
  heardUntil: string
}
export const FIRST_ANSWERS_ID = 'first-answers'

export type ViewRequest = {
  /** Path and query of the page. */
  url: string
  /** As the Cookie header has them. */
  cookies: string
  /** Null draws what visitors see. */
  known: FirstAnswers | null
}

/** Addresses below /api/v1, with the keys to put the answers under. */
export type Wanted = { address: string; key: Answer['key'] }[]

export type FirstView = {
  html: string
  /** What was asked for and not known. */
  wanted: Wanted
}

/** What `.build/pages` exports. */
export type DrawPage = (request: ViewRequest) => Promise<FirstView>
/** What a page says that it will ask for at this address, so that it need not be drawn to be found out. */
export type AskAhead = (url: string) => Promise<Wanted>
/** Whether the app has a page at this path. */
export type IsPage = (path: string) => boolean
export type Drawing = { drawPage: DrawPage; askAhead: AskAhead; isPage: IsPage }
