/** I paste from a spreadsheet and from a web page: figures stay apart, headings stay headings, and I learn what was left out. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { expect, opened, type Person, type Setting, test } from '../specification/setting.ts'

const text = (page: Page, name = 'Message') => page.getByRole('textbox', { name, exact: true })

/** In the page: what a browser does when the user pastes this HTML. */
const pasteHtml = (element: Element, html: string) => {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/html', html)
  element.dispatchEvent(
    new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }),
  )
}

const paste = async (page: Page, html: string, name?: string) => {
  await text(page, name).press('Control+a')
  await page.keyboard.press('Delete')
  await text(page, name).evaluate(pasteHtml, html)
}

const cellsIn = (page: Page) =>
  text(page).evaluate((editor) =>
    [...editor.querySelectorAll('tr')].map((row) =>
      [...row.children].map((cell) => (cell as HTMLElement).innerText.trim()),
    ),
  )

const linesIn = (page: Page, name?: string) =>
  text(page, name).evaluate((editor) =>
    (editor as HTMLElement).innerText.split('\n').filter((line) => line.trim() !== ''),
  )

const EXCEL =
  '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>td{mso-number-format:General}</style></head><body><table border=0 cellpadding=0><col width=64><!--StartFragment--><tr height=20><td height=20>Jan</td><td align=right>1200</td></tr><tr><td>Feb</td><td align=right>35</td></tr><!--EndFragment--></table></body></html>'
const SHEETS =
  '<meta charset="utf-8"><google-sheets-html-origin><style>td {border: 1px solid #ccc}</style><table dir="ltr" data-sheets-root="1"><colgroup><col width="100"><col width="100"></colgroup><tbody><tr><td>Item</td><td>Qty</td></tr><tr><td>Apples</td><td>12</td></tr></tbody></table>'
const LIBRE =
  '<table cellspacing="0" border="0"><colgroup span="2" width="85"></colgroup><tr><td height="17" align="left"><font face="Liberation Sans">Pears</font></td><td align="right" sdval="7" sdnum="1031;"><font face="Liberation Sans">7</font></td></tr><tr><td>Plums</td><td></td></tr></table>'
const SPANS =
  '<table><caption>Sales</caption><thead><tr><th colspan="2">First half</th></tr></thead><tbody><tr><td rowspan="9999">Jan</td><td><p>1</p><p>2</p></td></tr></tbody></table>'
const NESTED =
  '<table role="presentation"><tr><td>Left<table><tr><td>a</td><td>b</td></tr></table></td><td>Right</td></tr></table>'
const ROW_ALONE = '<tr><td>Jan</td><td>1200</td></tr>'

const aWriter = async (setting: Setting, { user, workspace }: Person) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  return mailbox
}

test('a table stays a table, whatever it comes from, and is read by row in the text of the mail', async ({
  setting,
  person,
}) => {
  const { page, call } = person
  const mailbox = await aWriter(setting, person)
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
  await page.getByRole('button', { name: 'Compose' }).click()
  await expect(text(page)).toBeVisible()
  for (const [html, cells] of [
    [
      SHEETS,
      [
        ['Item', 'Qty'],
        ['Apples', '12'],
      ],
    ],
    [
      LIBRE,
      [
        ['Pears', '7'],
        ['Plums', ''],
      ],
    ],
    [ROW_ALONE, [['Jan', '1200']]],
    [SPANS, [['First half'], ['Jan', '1\n\n2']]],
    [NESTED, [['a', 'b']]],
    [
      EXCEL,
      [
        ['Jan', '1200'],
        ['Feb', '35'],
      ],
    ],
  ] as const) {
    await paste(page, html)
    await expect.poll(() => cellsIn(page)).toEqual(cells)
  }
  await paste(page, NESTED)
  expect(await linesIn(page)).toEqual(['Left', 'a', 'b', 'Right'])
  await paste(page, SPANS)
  expect((await linesIn(page))[0]).toBe('Sales')

  // A heading keeps its level and a line of its own, and pictures of the web are not dropped without a word.
  await paste(
    page,
    '<p>The list attached.</p><h2>Header from <i>web</i></h2><p>Text</p><img src="https://pictures.example/a.png"><img src="https://pictures.example/b.png">',
  )
  expect(await linesIn(page)).toEqual(['The list attached.', 'Header from web', 'Text'])
  await expect(text(page).locator('h2')).toHaveText('Header from web')
  await expect(page.getByText('2 pictures were left out')).toBeVisible()

  // What is sent has borders that mail programs show, and the figures apart in its text.
  await paste(page, EXCEL)
  await page.keyboard.press('Tab')
  await page
    .getByRole('toolbar', { name: 'Table' })
    .getByRole('button', { name: 'Add a row' })
    .click()
  const form = page.getByRole('dialog', { name: 'New message' })
  await form.getByLabel('Subject').fill('Figures')
  await form.getByLabel('To', { exact: true }).fill(mailbox.email)
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Message sent').first()).toBeVisible()
  const messages = `/mailboxes/${mailbox.id}/messages`
  const sent = (await call('GET', `${messages}?folder=sent`)).body as { items: { _id: string }[] }
  const { html, text: twin } = (await call('GET', `${messages}/${sent.items[0]?._id}`)).body as {
    html: string
    text: string
  }
  expect(html).toContain('<table style="border-collapse:collapse')
  expect(html).toMatch(/<td style="border:1px solid[^"]*">1200<\/td>/)
  expect(twin).toContain('Jan | 1200\n')
  expect(twin).toContain('Feb | 35\n')
})

test('the signature has no tables: its rows become lines with the cells apart', async ({
  setting,
  person,
}) => {
  const { page } = person
  const mailbox = await aWriter(setting, person)
  await opened(page, `/dashboard/mail-box-settings?mailbox=${mailbox.id}`)
  await expect(text(page, 'Signature')).toBeVisible()
  await paste(page, EXCEL, 'Signature')
  expect(await linesIn(page, 'Signature')).toEqual(['Jan | 1200', 'Feb | 35'])
})
