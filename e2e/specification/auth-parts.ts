/** What the tests of the pages for visitors do again and again. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { Installation } from '#contract/installation.ts'
import { newId } from '#server/lib/ids.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import { aUser, aWorkspace, type User } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { answering, cutting, failing, type Setting } from './setting.ts'

export const anAddress = (): string => `grace-${newId().slice(-8)}@${ELSEWHERE}`

/** A user who can log in with PASSWORD and has no session yet. */
export const aMember = async (setting: Setting): Promise<User> => {
  const { passwordHash } = setting
  const user = await aUser(setting, { email: anAddress(), passwordHash })
  await aWorkspace(setting, { members: [{ user, role: 'Admin' }] })
  return user
}

const HOUR_MS = 3_600_000

/** The token of a link as we would have mailed it; it works for an hour, or has run out an hour ago. */
export const aMailedToken = async (
  { db, clock, passwordHash }: Setting,
  user: User,
  purpose: 'email-verification' | 'reset-password',
  state: 'fresh' | 'expired' = 'fresh',
): Promise<string> => {
  const token = randomToken()
  const now = clock.now()
  await db
    .insertInto('mailLinks')
    .values({
      ...{ tokenHash: hashToken(token), userId: user.id, purpose, email: user.email },
      ...{ firstName: user.firstName, lastName: user.lastName, passwordHash, usedAt: null },
      createdAt: now,
      expiresAt: new Date(now.getTime() + (state === 'fresh' ? HOUR_MS : -HOUR_MS)),
    })
    .execute()
  return token
}

/** The toast with exactly this title and text; also one beside a modal, which keeps all else from the readers. */
export const toastWith = async (page: Page, title: string, text?: string): Promise<void> => {
  const shown = page
    .getByRole('listitem', { includeHidden: true })
    .filter({ has: page.getByText(title, { exact: true }) })
  await expect(shown).toBeVisible()
  if (text !== undefined) await expect(shown.getByText(text, { exact: true })).toBeVisible()
}

/** Each is typed and sent with Enter; it is refused in these words at the field, which has the focus, and is still there. */
export const expectRefused = async (
  field: Locator,
  wrong: readonly (readonly [typed: string, words: string])[],
): Promise<void> => {
  for (const [typed, words] of wrong) {
    await field.fill(typed)
    await field.press('Enter')
    await expect(field, typed.slice(0, 80)).toHaveAccessibleDescription(words)
    await expect(field.page().getByText(words, { exact: true }).first()).toBeVisible()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toBeFocused()
    await expect(field).toHaveValue(typed)
  }
}

/** Like `expectRefused` for valid values: no error shows at the field while they are typed. */
export const expectTaken = async (field: Locator, good: readonly string[]): Promise<void> => {
  for (const typed of good) {
    await field.fill(typed)
    await expect(field, typed.slice(0, 80)).not.toHaveAttribute('aria-invalid')
    await expect(field).not.toHaveAttribute('aria-describedby', /error/)
  }
}

/** The two messages of every email field of a visitor. */
export const wrongEmails = [
  ['', 'Please enter your email'],
  ['ada', 'Invalid email address'],
  ['ada@', 'Invalid email address'],
  ['@elsewhere.example', 'Invalid email address'],
  ['ada@elsewhere', 'Invalid email address'],
  ['ada lovelace@elsewhere.example', 'Invalid email address'],
  ['مرحبا@elsewhere.example', 'Invalid email address'],
  [`${'a'.repeat(10_000)}@elsewhere.example`, 'Invalid email address'],
] as const

export const goodEmails = ['ada+mail@sub.elsewhere.example', 'ada@bücher.example', 'A@B.CO']

/** A server in trouble, and what it says in the toast. */
export const troubles = [
  { of: 500, message: 'Something went wrong' },
  { of: 429, message: 'Too many requests' },
  { of: 'nothing', message: 'Something went wrong' },
] as const

/** The API answers POST of this path so until the returned function is called; 'nothing': the line is cut. */
export const inTrouble = async (
  page: Page,
  path: string,
  { of, message }: (typeof troubles)[number],
): Promise<() => Promise<void>> => {
  if (of !== 'nothing')
    return failing(page, 'POST', path, {
      statusCode: of,
      type: of === 429 ? 'TOO_MANY_REQUESTS' : 'INTERNAL',
      message,
    })
  return cutting(page, path)
}

/** What the pages read of this installation, with some of it otherwise. */
export const withInstallation = async (page: Page, other: Partial<Installation>): Promise<void> => {
  // Asked before: a page that is closed while its own answer is read fails the test.
  const answer = await (await page.request.get('/api/v1/installation')).json()
  await answering(page, 'GET', '/installation', { json: { ...answer, ...other } })
}
