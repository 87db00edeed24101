/** Bad input in every text field of every form: the error shows at the field, as the specification says, and no text is lost. */
import { domainToASCII } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import { type BadForm, kinds, personForms, visitorForms } from './failures/bad-values.ts'
import { aWorld, type World } from './failures/world.ts'
import { chosenFrom } from './sample.ts'
import { widthFaults } from './screens/faults/width-faults.ts'
import { expect, opened, test } from './specification/setting.ts'

const PHONE = { width: 390, height: 844 }
const WIDE = { width: 1440, height: 900 }

/** A page with more than this to say on the console has a fault. */
const watchConsole = (page: Page): string[] => {
  const lines: string[] = []
  // The browser's own line about the first look for a session.
  const isExpected = (text: string) => /status of 401/.test(text)
  page.on('console', (message) => {
    if (!isExpected(message.text())) lines.push(message.text())
  })
  page.on('pageerror', (error) => lines.push(error.message))
  return lines
}

/** What is read with the control, without its hint; whether that is an error; and what stands in it. */
const stateOf = (control: Locator): Promise<{ words: string; isWrong: boolean; value: string }> =>
  control.evaluate((element) => ({
    words: (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .filter((id) => id.endsWith('error'))
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
    isWrong: element.getAttribute('aria-invalid') === 'true',
    value: (element as HTMLInputElement).value,
  }))
const wordsAt = async (control: Locator): Promise<string> => (await stateOf(control)).words

/** The browser may show the domain of an address as its A-label. */
const asShown = (typed: string): string => {
  const [local, domain] = typed.split('@')
  return domain ? `${local}@${domainToASCII(domain)}` : typed
}

const expectWords = async (page: Page, form: BadForm): Promise<void> => {
  const { fields, submit } = form
  const [first = ''] = Object.keys(fields)
  await expect(page.getByLabel(first, { exact: true }).first()).toBeVisible()
  const dialog = page.getByRole('dialog')
  const scope = (await dialog.count()) > 0 ? dialog : page.getByRole('main')
  const control = (label: string) => scope.getByLabel(label, { exact: true })
  for (const kind of kinds) {
    for (const [label, values] of Object.entries(fields)) {
      await control(label).fill(values[kind][0])
      if (submit === undefined) await control(label).blur()
    }
    if (submit && kind === 'empty')
      await scope.getByRole('button', { name: submit, exact: true }).click()
    const expected = Object.fromEntries(
      Object.entries(fields).map(([label, values]) => {
        const [typed, words] = values[kind]
        return [label, { words, isWrong: words !== '', value: asShown(typed) }]
      }),
    )
    const states = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.keys(fields).map(async (label) => {
            const state = await stateOf(control(label))
            return [label, { ...state, value: asShown(state.value) }] as const
          }),
        ),
      )
    await expect.poll(states, kind).toEqual(expected)
  }
  // What is there now is huge.
  for (const size of [PHONE, WIDE]) {
    await page.setViewportSize(size)
    expect(await widthFaults(page), `at ${size.width} px`).toEqual([])
  }
}

for (const [name, form] of chosenFrom(visitorForms, 'login', 'forgot-password'))
  test(`${name}: every kind of bad value`, async ({ visitor: page }) => {
    const lines = watchConsole(page)
    // Asked for once the app listens; the other two pages ask for nothing.
    const isAsking = ['login', 'sign-up'].includes(name)
    const listening = isAsking ? page.waitForResponse('**/api/v1/installation') : null
    await page.goto(String(form.path))
    await listening
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectWords(page, form)
    expect(lines).toEqual([])
  })

test('the forms of the dashboard: every kind of bad value', async ({ setting, person }) => {
  const { page } = person
  const world: World = await aWorld(setting, person)
  const lines = watchConsole(page)
  for (const [name, form] of chosenFrom(personForms, 'domain', 'company'))
    await test.step(name, async () => {
      await opened(page, typeof form.path === 'string' ? form.path : form.path(world))
      await form.open?.(page, world)
      await expectWords(page, form)
      // Away without the question about what was typed.
      await page.goto('about:blank')
    })
  expect(lines).toEqual([])
})

test('the message: recipients, subject', async ({ setting, person }) => {
  const { page } = person
  const world = await aWorld(setting, person)
  const lines = watchConsole(page)
  await opened(page, `/dashboard/view-mail?mailbox=${world.mailboxId}`)
  await page.getByRole('button', { name: 'Compose', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  const [to, subject] = [dialog.getByLabel('To', { exact: true }), dialog.getByLabel('Subject')]
  const send = dialog.getByRole('button', { name: 'Send', exact: true })
  const clear = async () => {
    for (const chip of await dialog.getByRole('button', { name: /^Remove / }).all())
      await chip.click()
  }
  await send.click()
  await expect.poll(() => wordsAt(to)).toBe('Please enter at least one recipient')
  const huge = 'x'.repeat(10_000)
  for (const [typed, words] of [
    ['ada', 'Invalid email address: ada'],
    ['a@b', 'Invalid email address: a@b'],
    ['مرحبا@elsewhere', 'Invalid email address: مرحبا@elsewhere'],
    [huge, `Invalid email address: ${'x'.repeat(60)}…`],
  ] as const) {
    await to.fill(typed)
    await send.click()
    await expect.poll(() => wordsAt(to)).toBe(words)
    await expect(dialog.getByRole('button', { name: `Remove ${typed}` })).toHaveCount(1)
    if (typed !== huge) await clear()
  }
  await subject.fill(huge)
  await send.click()
  await expect.poll(() => wordsAt(subject)).toBe('At most 900 characters')
  await expect(subject).toHaveValue(huge)
  for (const size of [PHONE, WIDE]) {
    await page.setViewportSize(size)
    expect(await widthFaults(page), `at ${size.width} px`).toEqual([])
  }
  for (const typed of ['Sitzung am Dienstag 🎉', 'دعوة إلى الاجتماع', '']) {
    await subject.fill(typed)
    await expect(subject).not.toHaveAttribute('aria-invalid')
  }
  expect(lines).toEqual([])
})
