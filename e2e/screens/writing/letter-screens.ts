/** Where letters stand, what one does to their text, and a letter that came back. */
import type { Page } from '@playwright/test'
import { ELSEWHERE } from '#test-world/product.ts'
import { button, isPhone, listbox, menu, type Screen } from '../screen.ts'
import type { World } from '../world.ts'
import { answering, forward, inForm, write, writing } from './writing-screens.ts'

const text = (page: Page) => page.getByRole('textbox', { name: 'Message' })

/** On a phone the tools are folded. */
const withTools = async (page: Page) => {
  await write(page)
  if (isPhone(page)) await button(page, 'Formatting').click()
}

const tool = (name: string) => async (page: Page) => {
  await withTools(page)
  await button(page, name).click()
}

/** In the page: a file is dragged over it. */
const dragFile = (element: Element) => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['a map'], 'map.txt', { type: 'text/plain' }))
  element.dispatchEvent(
    new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer }),
  )
}

const LOST = `garce@${ELSEWHERE}`

/** A letter of ours comes back, and is opened. */
const returned = async (page: Page, { setting, member, mailboxId }: World) => {
  setting.product.peer.behave = (stage, address) =>
    stage === 'rcpt' && address === LOST ? '550 5.1.1 No such person as garce' : undefined
  await member.call('POST', `/mailboxes/${mailboxId}/messages`, {
    ...{ to: [LOST], subject: 'The plan of the quay', text: 'It is ready.' },
  })
  await page
    .getByRole('link', { name: new RegExp(`Not delivered to ${LOST}`) })
    .first()
    .click()
  await button(page, 'Correct the address and send again').click()
}

export const letterScreens: Screen[] = [
  answering('plain', {
    ...{ name: 'mail, two letters', state: 'open' },
    steps: async (page) => {
      await forward(page)
      await inForm(page).getByLabel('Subject').waitFor()
      // Where the message fills the page there is no room for the button.
      const compose = button(page, 'Compose')
      await ((await compose.isVisible()) ? compose : button(page, 'Minimise')).click()
    },
    ready: (page) => inForm(page).first(),
  }),
  answering('plain', {
    ...{ name: 'mail, reply, in the thread', state: 'open' },
    steps: async (page) => {
      await button(page, 'Reply').first().click()
      await text(page).click()
      await page.keyboard.type('Gladly.')
    },
    ready: (page) => inForm(page).getByText('Saved', { exact: true }),
  }),
  // Not 'open': the writer moves it after it has opened.
  writing({
    ...{ name: 'mail, compose, full size', state: 'full' },
    steps: async (page) => {
      await write(page)
      if (!isPhone(page)) await button(page, 'Full size').click()
    },
    ready: (page) => inForm(page).getByText('Saved', { exact: true }),
  }),
  writing({
    ...{ name: 'mail, compose, drop target', state: 'open' },
    steps: async (page) => {
      await write(page)
      await page.locator('body').evaluate(dragFile)
    },
    ready: 'Drop files to attach',
  }),
  writing({
    ...{ name: 'mail, compose, table', state: 'open', steps: tool('Insert table') },
    ready: (page) => page.getByRole('toolbar', { name: 'Table' }),
  }),
  writing({
    ...{ name: 'mail, compose, colours', state: 'open', steps: tool('Text colour'), ready: menu },
  }),
  writing({
    ...{ name: 'mail, compose, emoji', state: 'open', steps: tool('Emoji'), ready: listbox },
  }),
  writing({
    ...{ name: 'mail, compose, plain text', state: 'open', steps: tool('Plain text') },
    ready: (page) => button(page, 'Formatting'),
  }),
  writing({
    ...{ name: 'mail, send again', state: 'open', steps: returned },
    ready: (page) => page.getByRole('dialog', { name: 'Send again' }).getByLabel('Subject'),
  }),
]
