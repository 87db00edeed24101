/** The rich-text editor of the signature, where mailboxes are generated and in the settings of one. */
import type { Page } from '@playwright/test'
import { aDomain } from '#test-world/builders.ts'
import { expect, expectToast, type Person, type Setting, test } from './setting.ts'

// Without motion nothing is waited for.
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const png = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') }

const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const text = (page: Page) => page.getByRole('textbox', { name: 'Signature' })
const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name, exact: true })

const choose = async (page: Page, label: string, option: string) => {
  await dialog(page).getByLabel(label).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Opens the last step of the auto-generate dialog. */
const openSignature = async (setting: Setting, { page, workspace }: Person) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  await page.goto('/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Auto generate' }).click()
  await choose(page, 'Domains', domain.name)
  await page.keyboard.press('Escape')
  await choose(page, 'Mailboxes per domain', '1')
  await button(page, 'Next').click()
  await choose(page, 'Name type', 'Random (female)')
  await expect(dialog(page).getByLabel('First name 1')).toBeVisible()
  await button(page, 'Next').click()
}

test('it says that it loads, is 305 px high, has five buttons and no menu bar [2.70 2.71 2.73 9.23]', async ({
  setting,
  person,
}) => {
  const { page } = person
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(setting.product.url))
      elsewhere.push(request.url())
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  let tries = 0
  await page.route(/rich-text-editor[^/]*\.js/, async (route) => {
    await promise
    tries += 1
    // A script that is lost on the way takes nothing away.
    await (tries === 1 ? route.abort() : route.continue())
  })
  await openSignature(setting, person)
  const loading = dialog(page).getByText('Please wait loading Editor....', { exact: true })
  await expect(loading).toBeVisible()
  expect((await loading.boundingBox())?.height).toBe(305)
  resolve()
  await expect(text(page)).toBeVisible()
  await expect(loading).toHaveCount(0)
  const toolbar = page.getByRole('toolbar')
  expect((await toolbar.locator('..').boundingBox())?.height).toBe(305)
  const names = ['Bold', 'Italic', 'Align left', 'Align center', 'Insert image']
  const tools = await toolbar.getByRole('button').all()
  expect(await Promise.all(tools.map((each) => each.getAttribute('aria-label')))).toEqual(names)
  await expect(page.getByRole('menubar')).toHaveCount(0)

  await text(page).pressSequentially('Kind ')
  const isOn = (name: string, on: boolean) =>
    expect(tool(page, name)).toHaveAttribute('aria-pressed', String(on))
  await isOn('Bold', false)
  await tool(page, 'Bold').click()
  await isOn('Bold', true)
  await text(page).pressSequentially('bold ')
  await tool(page, 'Bold').click()
  await tool(page, 'Italic').click()
  await isOn('Italic', true)
  await text(page).pressSequentially('slanted')
  await expect(text(page).locator('strong')).toHaveText('bold ')
  await expect(text(page).locator('em')).toHaveText('slanted')
  const paragraph = text(page).locator('p')
  await isOn('Align left', true)
  await tool(page, 'Align center').click()
  await isOn('Align center', true)
  await isOn('Align left', false)
  await expect(paragraph).toHaveCSS('text-align', 'center')
  await tool(page, 'Align left').click()
  await isOn('Align center', false)
  await expect(paragraph).not.toHaveCSS('text-align', 'center')
  // Arrow keys walk the toolbar.
  await tool(page, 'Bold').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(tool(page, 'Insert image')).toBeFocused()
  expect(elsewhere).toEqual([])
})

test('a signature that is too large keeps Generate disabled [4.38]', async ({
  setting,
  person,
}) => {
  const { page } = person
  await openSignature(setting, person)
  await expect(button(page, 'Generate')).toBeEnabled()
  await text(page).fill('x'.repeat(700_001))
  await expect(dialog(page).getByText('The signature is too large')).toBeVisible()
  await expect(button(page, 'Generate')).toBeDisabled()
  await text(page).fill('Kind regards')
  await expect(button(page, 'Generate')).toBeEnabled()
})

test('an image shows from this device, is stored with the form, and is there again [2.72 2.73]', async ({
  setting,
  person,
}) => {
  const { page, call } = person
  await openSignature(setting, person)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname)
  })
  await expect(text(page)).toBeVisible()
  const picker = page.getByLabel('Image file')
  await expect(picker).toHaveAttribute('accept', /image\/png/)
  const refused = [
    [
      { ...png, name: 'a.svg', mimeType: 'image/svg+xml' },
      'Please choose a PNG, JPEG, GIF or WebP',
    ],
    [
      { ...png, name: 'big.png', buffer: Buffer.alloc(700_000) },
      'Too large: the images of a signature may have at most 500kB in all (700kB with big.png).',
    ],
  ] as const
  for (const [file, message] of refused) {
    await picker.setInputFiles(file)
    await expect(dialog(page).getByText(message)).toBeVisible()
    await expect(text(page).getByRole('img')).toHaveCount(0)
  }

  const chooser = page.waitForEvent('filechooser')
  await tool(page, 'Insert image').click()
  await (await chooser).setFiles(png)
  const image = text(page).getByRole('img')
  await expect(image).toHaveAttribute('src', /^blob:/)
  await expect(dialog(page).getByText('The images of a signature')).toHaveCount(0)
  const isShown = () => image.evaluate((img) => (img as HTMLImageElement).naturalWidth)
  await expect.poll(isShown).toBe(1)
  await button(page, 'Back').click()
  await button(page, 'Next').click()
  await expect(image).toHaveAttribute('src', /^blob:/)
  await expect.poll(isShown).toBe(1)
  expect(sent).toEqual([])

  await button(page, 'Generate').click()
  await expectToast(page, '1 mailbox created')
  expect(sent).toEqual(['/api/v1/mailboxes/generate'])
  const { items } = (await call('GET', '/mailboxes')).body as {
    items: { _id: string; signature: string }[]
  }
  expect(items[0]?.signature).toContain(`src="data:image/png;base64,${pixel}"`)

  await page.goto(`/dashboard/mail-box-settings?mailbox=${items[0]?._id}`)
  await expect(image).toHaveAttribute('src', `data:image/png;base64,${pixel}`)
  await expect.poll(isShown).toBe(1)
})

test('an image that is pasted or dropped is taken like a chosen one [2.72]', async ({
  setting,
  person,
}) => {
  const { page } = person
  await openSignature(setting, person)
  await expect(text(page)).toBeVisible()
  for (const [count, kind] of (['paste', 'drop'] as const).entries()) {
    await text(page).evaluate(giveImage, { kind, pixel })
    await expect(text(page).getByRole('img')).toHaveCount(count + 1)
    await expect(text(page).getByRole('img').first()).toHaveAttribute('src', /^blob:/)
  }
})

/** In the page: does what a browser does when the user pastes or drops a picture. */
const giveImage = (element: Element, { kind, pixel: data }: { kind: string; pixel: string }) => {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
  const transfer = new DataTransfer()
  transfer.items.add(new File([bytes], 'logo.png', { type: 'image/png' }))
  const { x, y } = element.getBoundingClientRect()
  const common = { bubbles: true, cancelable: true }
  element.dispatchEvent(
    kind === 'paste'
      ? new ClipboardEvent('paste', { ...common, clipboardData: transfer })
      : new DragEvent('drop', {
          ...common,
          dataTransfer: transfer,
          clientX: x + 20,
          clientY: y + 20,
        }),
  )
}
