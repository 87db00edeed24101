/** Unwanted mail goes to Junk with the reasons, and the filter learns from my decisions. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import {
  expect,
  expectToast,
  opened,
  type Person,
  type Setting,
  test,
} from './specification/setting.ts'

const PAGE = '/dashboard/view-mail'

const aBox = async (setting: Setting, { user, workspace }: Person) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  return { mailboxId: mailbox.id, email: mailbox.email }
}

type Letter = { from?: string; subject: string; text: string }

const receive = async ({ product }: Setting, to: string, letter: Letter): Promise<void> => {
  const { from = `Grace <grace@${ELSEWHERE}>`, subject, text } = letter
  const raw = `From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\nDate: ${new Date().toUTCString()}\r\nMessage-ID: <${crypto.randomUUID()}@${ELSEWHERE}>\r\n\r\n${text}\r\n`
  const reply = await sendMail(product.smtpPort, { from: `bounces@${ELSEWHERE}`, to, raw })
  expect(reply).toMatch(/^250 /)
}

const junkLetter = (n: number): Letter => ({
  from: `Lucky <win${n}@lucky${n}.example>`,
  subject: `Jackpot number ${n}`,
  text: `Claim your jackpot bonus, spins and prize money number ${n}`,
})
const goodLetter = (n: number): Letter => ({
  subject: `Minutes of meeting ${n}`,
  text: `The committee agreed on the budget of the bridge, item ${n}`,
})

const row = (page: Page, subject: string | RegExp) => page.getByRole('link', { name: subject })
const folder = (page: Page, name: string) =>
  page.getByRole('link', { name: new RegExp(`^${name}`) })
const note = (page: Page) => page.getByRole('region', { name: 'Junk', exact: true })

test('a mail that pretends is in Junk, says why, and goes back when I say so', async ({
  setting,
  person,
}) => {
  const { page } = person
  const { email } = await aBox(setting, person)
  await receive(setting, email, {
    from: '"service@bank.example" <eve@casino.example>',
    subject: 'Re: YOUR ACCOUNT IS CLOSED',
    text: 'Press http://203.0.113.9/login now',
  })
  await opened(page, PAGE)
  await expect(page.getByText('Nothing in Inbox')).toBeVisible()
  await folder(page, 'Junk').click()
  await row(page, /ACCOUNT IS CLOSED/).click()
  await expect(note(page)).toContainText(
    'In Junk because its sender shows the name service@bank.example, but writes from eve@casino.example, and for 2 more reasons.',
  )
  await expect(note(page).getByRole('table')).toHaveCount(0)
  await note(page).getByRole('button', { name: 'Why' }).click()
  await expect(note(page).getByRole('row')).toHaveText([
    /writes from eve@casino\.example\+2\.5/,
    /without a name, 203\.0\.113\.9\+2/,
    /answers nothing\+1/,
    /In total; 5 or more is junk\+5\.5/,
  ])
  await note(page).getByRole('button', { name: 'Not junk' }).click()
  await expectToast(page, 'Not junk: moved to Inbox')
  await expect(page.getByText('Nothing in Junk')).toBeVisible()
  await folder(page, 'Inbox').click()
  await row(page, /ACCOUNT IS CLOSED/).click()
  await expect(page.getByRole('article')).toContainText('Press http://203.0.113.9/login now')
  await expect(note(page)).toHaveCount(0)
})

test('what I mark with ! teaches it: the next one like it goes to Junk by itself', async ({
  setting,
  person,
}) => {
  const { page, call } = person
  const { mailboxId, email } = await aBox(setting, person)
  for (let n = 0; n < 5; n++) {
    await receive(setting, email, goodLetter(n))
    await receive(setting, email, junkLetter(n))
  }
  await opened(page, PAGE)
  await row(page, /Jackpot number 4/).click()
  await expect(page.getByRole('article', { name: 'Jackpot number 4' })).toContainText('Claim your')
  await page.keyboard.press('!')
  await expectToast(page, 'Moved to Junk')
  await expect(row(page, /Jackpot number 4/)).toHaveCount(0)
  await folder(page, 'Junk').click()
  await row(page, /Jackpot number 4/).click()
  await expect(note(page)).toContainText('In Junk because it was put there by hand.')

  // The others as a program would.
  const { body } = await call('GET', `/mailboxes/${mailboxId}/messages`)
  const { items } = body as { items: { _id: string; subject: string }[] }
  expect(items).toHaveLength(9)
  for (const { _id, subject } of items) {
    const to = subject.startsWith('Jackpot') ? 'junk' : 'archive'
    const moved = await call('PATCH', `/mailboxes/${mailboxId}/messages/${_id}`, { folder: to })
    expect(moved.status).toBe(200)
  }

  await receive(setting, email, junkLetter(9))
  await receive(setting, email, goodLetter(9))
  await expect(row(page, /Jackpot number 9/)).toBeVisible()
  await row(page, /Jackpot number 9/).click()
  await expect(note(page)).toContainText(
    'In Junk because it is very like what you marked as junk (“',
  )
  await page.keyboard.press('!')
  await expectToast(page, 'Not junk: moved to Inbox')
  await folder(page, 'Inbox').click()
  await expect(row(page, /Jackpot number 9/)).toBeVisible()
  await expect(row(page, /Minutes of meeting 9/)).toBeVisible()
})
