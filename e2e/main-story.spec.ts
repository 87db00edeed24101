/** The whole main job: a stranger comes, and in the end mail works under a domain of their own. */
import { expect, type Page } from '@playwright/test'
import { ELSEWHERE, type Product } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { tick, verifyRecords } from './browsers.ts'
import { test } from './specification/setting.ts'
import { verifyDkim } from './verify-dkim.ts'

const DOMAIN = 'lovelace.example'
const STRANGER = `stranger@${ELSEWHERE}`
const FRIEND = `charles@${ELSEWHERE}`

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

let product: Product
test.beforeAll(({ setting }) => {
  product = setting.product
})

test('a stranger signs up, proves a domain, makes mailboxes, gets a mail and answers it [1.1 1.2 1.3 1.4]', async ({
  page,
}) => {
  await signUp(page)
  await addDomain(page)
  await publishAndVerify(page)
  await createMailboxes(page)
  await payForThem(page)
  await readMail(page)
  await reply(page)
})

const signUp = async (page: Page): Promise<void> => {
  await page.goto(`${product.url}/sign-up`)
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByLabel('Email').fill(STRANGER)
  await page.getByLabel('Password', { exact: true }).fill('Engine-No-1!')
  await page.getByLabel('Confirm Password').fill('Engine-No-1!')
  await tick(page.getByRole('checkbox'))
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByRole('dialog', { name: 'Email verification' })).toContainText(STRANGER)

  const { email } = await product.mailTo(STRANGER)
  const link = /^http\S+$/m.exec(email.text ?? '')?.[0] ?? ''
  expect(email.html).toContain(link)
  await page.goto(link)
  await expect(page.getByRole('dialog', { name: /Mailstead/ })).toBeVisible()
  await page.getByRole('button', { name: 'Lets go' }).click()
  await expect(page).toHaveURL(`${product.url}/dashboard`)
}

const addDomain = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  await page.getByRole('button', { name: 'Add Domain' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add domain' })
  await dialog.getByRole('radio', { name: 'Pre-Register Domain' }).click()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  product.dns.zone(DOMAIN)
  await page.getByLabel('Enter domain').fill(DOMAIN)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/add-domain\?id=/)
}

/** Publishes exactly what the page shows. */
const publish = async (page: Page): Promise<void> => {
  await page.getByRole('radio', { name: 'Full' }).check({ force: true })
  for (const row of await page
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .all()) {
    const [type, host, value, fourth] = await row.getByRole('cell').allInnerTexts()
    if (type !== 'TXT' && type !== 'MX') continue
    const name = host?.trim() ?? ''
    // Behind a long value stands the button that shows it in parts.
    const text = value?.trim().split('\n')[0] ?? ''
    const strings = text.match(/.{1,255}/gs) ?? []
    if (type === 'TXT') product.dns.set(name, 'TXT', [strings])
    else product.dns.set(name, 'MX', [`${fourth?.trim()} ${text}`])
  }
}

const publishAndVerify = async (page: Page): Promise<void> => {
  const verify = page.getByRole('button', { name: 'Verify', exact: true })
  const next = page.getByRole('button', { name: 'Continue' })
  await expect(next).toBeDisabled()
  await verify.click()
  await expect(page.getByText('Pending').first()).toBeVisible()
  await expect(next).toBeDisabled()

  await publish(page)
  await verifyRecords(page)
  await next.click()

  await expect(page.getByRole('heading', { name: 'Verify DNS' })).toBeVisible()
  await expect(next).toBeDisabled()
  await publish(page)
  await verifyRecords(page)
  await next.click()
  await expect(page.getByText('Domain Verified')).toBeVisible()
}

const createMailboxes = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Add mail box' }).click()
  await create(page, 'Ada', 'Lovelace', `ada@${DOMAIN}`)
  await page.getByRole('button', { name: 'Create mailboxes' }).first().click()
  await page.getByRole('dialog').getByLabel('Domain').click()
  await page.getByRole('option', { name: DOMAIN }).click()
  await create(page, 'Mary', 'Somerville', `mary@${DOMAIN}`)
}

const create = async (page: Page, first: string, last: string, email: string): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: 'Create mailbox' })
  await dialog.getByLabel('First name').fill(first)
  await dialog.getByLabel('Last name').fill(last)
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('row').filter({ hasText: email })).toBeVisible()
}

const payForThem = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Pay Now ($4)' }).click()
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: /Pay/ })
    .click()
  await expect(page.getByRole('button', { name: 'Pay Now' })).toHaveCount(0)
}

const received = [
  `From: Charles Babbage <${FRIEND}>`,
  `To: Ada Lovelace <ada@${DOMAIN}>`,
  'Subject: The engine',
  `Message-ID: <first@${ELSEWHERE}>`,
  'Date: Sat, 21 Nov 2026 10:00:00 +0000',
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'It weaves algebraical patterns.',
  '',
  '  12 cards',
  'Charles',
  '',
].join('\r\n')

const readMail = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'View Mailbox' }).click()
  const answer = await sendMail(product.smtpPort, {
    from: FRIEND,
    to: `ada@${DOMAIN}`,
    raw: received,
  })
  expect(answer).toMatch(/^250 /)
  await chooseMailbox(page, `ada@${DOMAIN}`)
  // It appears by itself.
  await page.getByText('The engine').first().click()
  await expect(page.getByText('It weaves algebraical patterns.').last()).toBeVisible()
}

const chooseMailbox = async (page: Page, email: string): Promise<void> => {
  const choice = page.getByRole('button', { name: 'Choose another mailbox' })
  if ((await choice.innerText()).includes(email)) return
  await choice.click()
  await page.getByRole('list', { name: 'Mailboxes' }).getByText(email).click()
}

const reply = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  const editor = page.getByRole('textbox', { name: 'Message' })
  await editor.click()
  await page.keyboard.type('Just as the Jacquard loom weaves flowers.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()

  const { message, email } = await product.mailTo(FRIEND)
  expect(email.from?.address).toBe(`ada@${DOMAIN}`)
  expect(email.subject).toBe('Re: The engine')
  expect(email.inReplyTo).toBe(`<first@${ELSEWHERE}>`)
  const lines = email.text?.split('\n') ?? []
  expect(lines.slice(0, 2)).toEqual(['Just as the Jacquard loom weaves flowers.', ''])
  expect(lines[2]).toMatch(/^On .* wrote:$/)
  expect(lines.slice(3, 7)).toEqual([
    ...['> It weaves algebraical patterns.', '> ', '>   12 cards', '> Charles'],
  ])
  expect(await verifyDkim(message.raw, product.dns)).toEqual([
    expect.objectContaining({ domain: DOMAIN, result: 'pass' }),
  ])
}
