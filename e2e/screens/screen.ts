/** One screen in one state: what the trials of all screens and the pictures are made from. */
import type { Locator, Page } from '@playwright/test'
import type { GivenAnswer } from '../intercept.ts'
import type { World } from './world.ts'

/**
 * The user: none, a new user in an empty workspace, or in one with far too much of everything its Admin (`member`),
 * its Editor, its User, the holder of one of its mailboxes; or an operator of the installation.
 */
export type Who = 'visitor' | 'newcomer' | 'member' | 'editor' | 'user' | 'holder' | 'operator'

export type Screen = {
  /** Also the name of its picture. */
  name: string
  who: Who
  /** `open`: a dialog, menu, list or toast stands over the page. */
  state: 'empty' | 'full' | 'loading' | 'failing' | 'open'
  path: string | ((world: World) => string)
  /** Calls of the API that answer 500; globs below /api/v1, with their method where it is not GET. */
  fails?: readonly string[]
  /** Calls that do not answer while the screen is looked at. */
  holds?: readonly string[]
  /** Calls that answer so: states that the world is not in. By method and glob: 'GET /members'. */
  answers?: Readonly<Record<string, GivenAnswer>>
  /** From the page to the screen; the width may be a phone's. */
  steps?: (page: Page, world: World) => Promise<unknown>
  /** Visible when it has come: a text of the page, or anything else. */
  ready: string | ((page: Page, world: World) => Locator)
}

export const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 768

export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: typeof name === 'string' })

export const click = (name: string | RegExp) => (page: Page) => button(page, name).first().click()

/** This browser remembers it, so another screen may have pressed it already. */
export const showMoreRows = async (page: Page): Promise<void> => {
  const toggle = button(page, 'Show more rows')
  await toggle.waitFor()
  if ((await toggle.getAttribute('aria-pressed')) === 'false') await toggle.click()
}

export const dialog = (page: Page): Locator => page.getByRole('dialog')
export const question = (page: Page): Locator => page.getByRole('alertdialog')
export const menu = (page: Page): Locator => page.getByRole('menu')
export const listbox = (page: Page): Locator => page.getByRole('listbox')
export const toast = (page: Page): Locator => button(page, 'Close notification')
