/** I read and answer where there is little room: on a phone by touch, in a low window, and when the server is not there. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import {
  cutting,
  expect,
  expectToast,
  opened,
  type Person,
  type Setting,
  test,
} from './specification/setting.ts'

test.use({ hasTouch: true })

const SENDER = 'Wolfeschlegelsteinhausen Hoppersmith'
const ADDRESS = `grace-of-the-office-of-the-harbour@${ELSEWHERE}`

const aLetter = async (setting: Setting, { page, user, workspace }: Person): Promise<void> => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  const raw = `From: ${SENDER} <${ADDRESS}>\r\nTo: ${mailbox.email}, Ada <ada@${ELSEWHERE}>\r\nCc: bob@${ELSEWHERE}\r\nSubject: The mill\r\n\r\nShall we build it?\r\n`
  const letter = { from: ADDRESS, to: mailbox.email, raw }
  expect(await sendMail(setting.product.smtpPort, letter)).toMatch(/^250 /)
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
  await expect(page.getByRole('link', { name: /The mill/ })).toBeVisible()
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const text = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })

test('by touch nothing small has to be hit, no tooltip covers what is read, and the address is whole', async ({
  setting,
  person,
}) => {
  const { page } = person
  await page.setViewportSize({ width: 390, height: 844 })
  await aLetter(setting, person)
  await page.getByRole('link', { name: /The mill/ }).tap()
  await button(page, 'Reply').tap()
  await expect(text(page)).toBeFocused()
  const form = page.getByRole('dialog', { name: 'Reply' })
  const whole = form.getByText(`${SENDER} <${ADDRESS}>`)
  await expect(whole).toBeVisible()
  const isCut = await whole.evaluate(
    ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      scrollWidth > clientWidth || scrollHeight > clientHeight,
  )
  expect(isCut).toBe(false)
  const heights = async () => {
    const all = await form.getByRole('button').evaluateAll((buttons) =>
      buttons
        // One inside a line of text, or in a chip, is as high as the line.
        .filter(
          (each) => !/^(?:Remove|Cc and Bcc|Show$)/.test(each.ariaLabel ?? each.textContent ?? ''),
        )
        .map((each) => each.getBoundingClientRect().height)
        .filter((height) => height > 0),
    )
    return Math.min(...all)
  }
  expect(await heights()).toBeGreaterThanOrEqual(40)
  await text(page).fill('Gladly.')
  await button(page, 'Send').tap()
  await expectToast(page, 'Message sent')
  await expect(form).toHaveCount(0)
  await expect(button(page, 'Reply')).toBeFocused()
  await expect(page.getByRole('tooltip')).toHaveCount(0)
})

test('in a low window an answer begins with its text in sight, and so it does on a phone with its keyboard', async ({
  setting,
  person,
}) => {
  const { page } = person
  await page.setViewportSize({ width: 720, height: 450 })
  await aLetter(setting, person)
  for (const [width, height] of [
    [720, 450],
    [390, 500],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.getByRole('link', { name: /The mill/ }).click()
    await button(page, 'Reply all').click()
    await expect(text(page)).toBeFocused()
    const lineOf = async () => {
      const [line, send] = await Promise.all([
        text(page).locator('p').first().boundingBox(),
        button(page, 'Send').boundingBox(),
      ])
      return { bottom: (line?.y ?? 0) + (line?.height ?? 0), send: send?.y ?? 0 }
    }
    await expect.poll(async () => (await lineOf()).bottom).toBeLessThan(height)
    if (width === 390) {
      const { bottom, send } = await lineOf()
      expect(bottom).toBeLessThan(send)
    }
    await expect(page.getByLabel('Bcc', { exact: true })).toHaveCount(0)
    await button(page, 'Close').click()
    await expect(text(page)).toHaveCount(0)
    await button(page, 'Back to the list').click()
  }
})

test('the way past the menus leads to the open message where it hides the list', async ({
  setting,
  person,
}) => {
  const { page } = person
  await page.setViewportSize({ width: 720, height: 900 })
  await aLetter(setting, person)
  const skip = page.getByRole('link', { name: 'Skip to messages' })
  await skip.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.locator('#messages :focus')).toHaveCount(1)
  await page.getByRole('link', { name: /The mill/ }).click()
  await expect(page.getByText('Shall we build it?').last()).toBeVisible()
  await skip.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Reading' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(button(page, 'Back to the list')).toBeFocused()
  await expect(page.getByRole('tooltip')).toHaveCount(0)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('tooltip')).toHaveText('Reply (r)')
})

test('a server that does not answer is named, and what is written stays', async ({
  setting,
  person,
}) => {
  const { page } = person
  await aLetter(setting, person)
  await button(page, 'Compose').click()
  const note = page.getByText('The server does not answer. What you write is kept on this device.')
  await expect(note).toHaveCount(0)
  const back = await cutting(page, '/mailboxes/**')
  await text(page).click()
  await page.keyboard.type('It weaves.')
  await expect(note.first()).toBeVisible()
  await expect(page.getByText('kept in this browser')).toBeVisible()
  await back()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(note).toHaveCount(0)
  await expect(text(page)).toHaveText('It weaves.')
})
