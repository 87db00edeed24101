/**
 * What the server draws of a page before any script has run: the same components, with what the API answers.
 * The web app takes it over as it is (hydration), so that nothing is drawn or asked for twice (decision 051).
 */
import type { User } from './auth.ts'

/** Stands in the page as JSON, for the web app to go on with. */
export type FirstAnswers = {
  user: User
  /** As `dehydrate` of TanStack Query makes it. */
  queries: unknown
  /** The last announced change before the answers were read, as the events' `Last-Event-ID`. */
  heardUntil: string
}
export const FIRST_ANSWERS_ID = 'first-answers'

export type ViewRequest = {
  /** Path and query of the page. */
  url: string
  /** As the Cookie header has them. */
  cookies: string
  /** Answers an address below /api/v1, as the caller of the page may see it; throws when it is refused. Null draws what visitors see. */
  ask: ((address: string) => Promise<unknown>) | null
}

export type FirstView = {
  html: string
  /** The style sheet of what has a style of its own. */
  styles: string
  /** The workspace, when the user has several: first-view.js hides the view from a tab that is in another one. */
  workspaceId: string
  answers: Omit<FirstAnswers, 'heardUntil'> | null
  /** Keys of the queries that the page shows as loading: its loader does not ask for them. */
  notLoaded: (readonly unknown[])[]
}

/** What `.build/pages` exports. */
export type Drawing = {
  /** Null when the app has to draw the page: after a redirect, or for a token that is not good. */
  drawPage: (request: ViewRequest) => Promise<FirstView | null>
  /** Whether the app has a page at this path. */
  isPage: (path: string) => boolean
  /** 'Domains'; null where the page finds it out. */
  titleAt: (path: string) => string | null
}

/** `--canvas` of web/styles.css, for the bar of the browser around the page. */
export const canvasColours = { light: '#fbfaf7', dark: '#0e1014' }
