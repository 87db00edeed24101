/** What I sent comes back: I see why, in words, and find it at the message itself. */
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { expect, opened, test } from './specification/setting.ts'

const REFUSAL = '550 5.1.1 No such person as garce'

test('one of two recipients does not exist: the bounce says so, and the journey of the message shows both', async ({
  setting,
  person,
}) => {
  const { page, user, workspace, call } = person
  const { product } = setting
  const garce = `garce@${ELSEWHERE}`
  product.peer.behave = (stage, address) =>
    stage === 'rcpt' && address === garce ? REFUSAL : undefined
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain, localPart: 'ada' })
  await letRead(setting, mailbox, user.id)
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
  await expect(page.getByText('Nothing in Inbox')).toBeVisible()
  const sent = await call('POST', `/mailboxes/${mailbox.id}/messages`, {
    ...{ to: [`grace@${ELSEWHERE}`, garce], subject: 'The plan', text: 'It is ready.' },
  })
  expect(sent.status).toBe(201)

  // It comes by itself, in the words of people.
  await page.getByRole('link', { name: new RegExp(`Not delivered to ${garce}`) }).click()
  const bounce = page.getByRole('article')
  await expect(bounce).toContainText(`Your message could not be delivered to ${garce}.`)
  await expect(bounce).toContainText('No such person as garce')
  await expect(bounce).toContainText('It will not be tried again.')

  await page.getByRole('link', { name: /^Sent/ }).click()
  await page.getByRole('link', { name: /The plan/ }).click()
  const journey = page.getByRole('region', { name: 'Journey' })
  const steps = journey.getByRole('button', { name: /Journey/ })
  await expect(steps).toContainText('Not delivered to 1 of 2')
  await steps.click()
  const journeyTo = (address: string) =>
    journey.locator('section').filter({ has: page.getByRole('heading', { name: address }) })
  await expect(journeyTo(garce)).toContainText('refused the message for good.')
  await expect(journeyTo(garce)).toContainText(REFUSAL)
  await expect(journeyTo(`grace@${ELSEWHERE}`)).toContainText('took the message over')
})

test('I correct the address of a letter that came back, and it goes with all it had', async ({
  setting,
  person,
}) => {
  const { page, user, workspace, call } = person
  const { product } = setting
  const garce = `garce@${ELSEWHERE}`
  product.peer.behave = (stage, address) =>
    stage === 'rcpt' && address === garce ? REFUSAL : undefined
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  const content = Buffer.from('a plan').toString('base64')
  const sent = await call('POST', `/mailboxes/${mailbox.id}/messages`, {
    ...{ to: [garce], subject: 'The plan', text: 'It is ready.' },
    attachments: [{ filename: 'plan.txt', contentType: 'text/plain', content }],
  })
  expect(sent.status).toBe(201)
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
  await page.getByRole('link', { name: new RegExp(`Not delivered to ${garce}`) }).click()
  const bounce = page.getByRole('article')
  // What only programs read is folded.
  await expect(bounce.getByRole('button', { name: 'Technical report' })).toBeVisible()
  await expect(bounce.getByText('delivery-report.txt')).toHaveCount(0)
  await bounce.getByRole('button', { name: 'Correct the address and send again' }).click()
  const form = page.getByRole('dialog', { name: 'Send again' })
  const to = form.getByLabel('To', { exact: true })
  await expect(to).toBeFocused()
  await expect(to).toHaveValue(garce)
  await expect(form.getByLabel('Subject')).toHaveValue('The plan')
  await expect(form).toContainText('It is ready.')
  await to.fill(`grace-again@${ELSEWHERE}`)
  await expect(form.getByRole('button', { name: 'Remove plan.txt' })).toBeVisible()
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  const { email } = await product.mailTo(`grace-again@${ELSEWHERE}`)
  expect(email.subject).toBe('The plan')
  expect(email.attachments.map(({ filename }) => filename)).toEqual(['plan.txt'])
})
