/**
 * Every screen in every state: axe finds nothing in the light and in the dark, everything fits, targets are large
 * enough, and nothing jumps; what opens stands still, and no toast covers a button. `npm test` tries a sample; `npm run screens` opens every screen at every width.
 */

import { expect, type Page } from '@playwright/test'
import { chosenFrom, isWhole } from './sample.ts'
import { allScreens } from './screens/all-screens.ts'
import { axeFaults } from './screens/faults/axe-faults.ts'
import { fingerFaults } from './screens/faults/finger-faults.ts'
import { overlayFaults } from './screens/faults/overlay-faults.ts'
import { expectNothingCovered, holdToast } from './screens/faults/toast-faults.ts'
import { targetFaults, widthFaults } from './screens/faults/width-faults.ts'
import { button, dialog, type Screen } from './screens/screen.ts'
import { openStage, type Size, type Stage } from './screens/stage.ts'
import { expectToast, test } from './specification/setting.ts'

let stage: Stage
test.beforeAll(async ({ setting, browser }) => {
  stage = await openStage(setting, browser)
})
test.afterAll(() => stage?.close())

// There is one page for all of them: a trace of each screen would cost more than to open it again.
test.use({ trace: 'off', screenshot: 'off' })

const PHONE = { width: 390, height: 844 }
const WIDE = { width: 1440, height: 900 }
const BETWEEN = [
  { width: 1024, height: 900 },
  { width: 768, height: 900 },
]

/** Each state, and pages of each kind: for visitors, of figures, lists, forms and mail. */
const FEW = [
  ...['login', 'home', 'wizard 2', 'mailboxes', 'settings, account', 'mail, files'],
  ...['mail, compose', 'mail, failed', 'access, mailbox loading'],
]
const chosen = chosenFrom(byName(allScreens), ...FEW)

for (const [name, screen] of chosen) {
  const isFull = screen.state === 'full'
  test(name, async () => {
    const page = await stage.show(screen, WIDE)
    await expectNoShift(page, screen)
    await expectAllFits(page, WIDE)
    expect.soft(await axeFaults(page, 'all'), 'axe, light').toEqual([])
    await expectReadableInDark(stage, page)
    for (const size of isWhole ? BETWEEN : []) {
      await stage.resize(page, size)
      await expectAllFits(page, size)
    }
    if (!isFull && !isWhole) return
    // What is opened by other ways on a phone is opened anew.
    if (isWhole) await stage.show(screen, PHONE)
    else await stage.resize(page, PHONE)
    if (isWhole) await expectNoShift(page, screen)
    await expectAllFits(page, PHONE)
    if (isWhole) {
      expect.soft(await axeFaults(page, 'all'), 'axe, light, on a phone').toEqual([])
      await expectReadableInDark(stage, page)
    }
    expect.soft(await fingerFaults(page), 'too small for a finger').toEqual([])
    // Last: it scrolls.
    expect.soft(await targetFaults(page), 'too small').toEqual([])
  })
}

/** One of each kind of overlay, for `npm test`: `npm run screens` tries every screen on which something is open. */
const KINDS = [
  ...['shell, command palette', 'shell, account menu', 'shell, sidebar toggled'],
  ...['mailboxes, edit', 'mailboxes, delete', 'settings, countries', 'mail, compose'],
]
const opening = allScreens.filter(({ name, state }) =>
  isWhole ? state === 'open' : KINDS.includes(name),
)

for (const screen of opening)
  test(`${screen.name}: it opens where it stands`, async () => {
    let count = 0
    for (const size of [WIDE, PHONE]) {
      const page = await stage.show(screen, size, { hasMotion: true })
      const opened = await overlayFaults(page)
      expect.soft(opened.faults, `at ${size.width} px`).toEqual([])
      count += opened.count
    }
    if (KINDS.includes(screen.name)) expect(count).toBeGreaterThan(0)
  })

/**
 * Pages within the shell, whose account menu makes a toast on any of them. Over '/dashboard/new-mail-box' stands a dialog, and over others
 * one that steps opened.
 */
const standing = allScreens.filter(
  ({ who, state, path, steps }) =>
    who !== 'visitor' &&
    steps === undefined &&
    (state === 'full' || state === 'empty') &&
    (typeof path !== 'string' || /^\/dashboard(?!\/n)/.test(path)),
)

for (const [name, screen] of chosenFrom(byName(standing), 'home', 'mail'))
  test(`${name}: a toast covers nothing`, async () => {
    const page = await stage.show(answering(screen, 'POST /auth/logout'), WIDE)
    await button(page, 'Account menu').click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await expectToast(page, '❌ Error')
    await expectCoversNothing(stage, page)
  })

test('the toast of a refused step lies on neither Verify nor Continue', async () => {
  const page = await stage.show(named('wizard 2'), WIDE)
  await button(page, /Verify DNS/).click()
  await expectToast(page, 'Please verify ownership first')
  await expectCoversNothing(stage, page)
})

test('the toast above a dialog lies on none of its fields and buttons', async () => {
  const screen = named('settings, users, invite')
  const page = await stage.show(answering(screen, 'POST /invitations'), WIDE)
  await dialog(page).getByLabel('Email').fill('grace@elsewhere.example')
  await button(page, 'Send invitation').click()
  await expectToast(page, '❌ Error')
  await expectCoversNothing(stage, page)
})

function byName(screens: readonly Screen[]): Record<string, Screen> {
  return Object.fromEntries(screens.map((screen) => [screen.name, screen]))
}

const trouble = { type: 'INTERNAL', message: 'Something went wrong', statusCode: 500, data: {} }

/** With this call in trouble. */
const answering = (screen: Screen, call: string): Screen => ({
  ...screen,
  answers: { ...screen.answers, [call]: { status: 500, json: { ...trouble, path: '' } } },
})

const named = (name: string): Screen => {
  const found = allScreens.find((screen) => screen.name === name)
  if (!found) throw new Error(`no screen is named ${name}`)
  return found
}

const expectCoversNothing = async (stage: Stage, page: Page): Promise<void> => {
  await holdToast(page)
  for (const size of [WIDE, ...BETWEEN, PHONE]) {
    await stage.resize(page, size)
    await expectNothingCovered(page, `at ${size.width} px`)
  }
}

const expectNoShift = async (page: Page, { state, steps }: Screen): Promise<void> => {
  if (state !== 'full' || steps) return
  const shifted = await page.evaluate(() => window.shifted)
  expect.soft(shifted, `layout shift at ${page.viewportSize()?.width} px`).toBeLessThan(0.1)
}

const expectAllFits = async (page: Page, { width }: Size): Promise<void> =>
  expect.soft(await widthFaults(page), `at ${width} px`).toEqual([])

const expectReadableInDark = async (stage: Stage, page: Page): Promise<void> => {
  await stage.paint(page, 'dark')
  expect.soft(await axeFaults(page, 'about colour'), 'axe, dark').toEqual([])
  await stage.paint(page, 'light')
}
