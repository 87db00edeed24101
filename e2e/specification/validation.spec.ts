/** The rules that hold for every form: where an error stands, how it looks and is read, and who says it. */
import type { Locator, Page } from '@playwright/test'
import { aDomain } from '#test-world/builders.ts'
import { expect, type Person, test } from './setting.ts'

/** What stands in red under a control, and is read with it. */
const errorAt = (control: Locator): Promise<string> =>
  control.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .filter((id) => id.endsWith('error'))
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  )

type Form = {
  path: string
  open?: (page: Page) => Promise<void>
  /** The field of the body for each label. */
  fields: Record<string, string>
  /** Controls that the test leaves alone: what the body says for them. */
  untouched?: { fields: Record<string, string>; body: Record<string, unknown> }
  /** Absent where it stays disabled until the form is right; errors then show when a field is left. */
  submit?: string
  call: [method: string, path: string]
}

const dialogBy = (button: string) => (page: Page) =>
  page.getByRole('button', { name: button, exact: true }).first().click()

const visitorForms: Form[] = [
  {
    path: '/sign-up',
    fields: {
      'First name': 'firstName',
      'Last name': 'lastName',
      Email: 'email',
      Password: 'password',
      'Confirm Password': 'confirmPassword',
    },
    untouched: { fields: { 'I agree to the Terms and conditions': 'termsAccepted' }, body: {} },
    submit: 'Sign Up',
    call: ['POST', '/auth/register'],
  },
  {
    path: '/login',
    fields: { Email: 'email', Password: 'password' },
    submit: 'Login',
    call: ['POST', '/auth/login'],
  },
  {
    path: '/forgot-password',
    fields: { Email: 'email' },
    submit: 'Send Email',
    call: ['POST', '/auth/forgot-password'],
  },
  {
    path: `/create-new-password?token=${'x'.repeat(43)}`,
    fields: { 'New Password': 'password', 'Confirm Password': 'confirmPassword' },
    untouched: { fields: {}, body: { session: 'x'.repeat(43) } },
    submit: 'Save New Password',
    call: ['POST', '/auth/set-new-password'],
  },
]

const personForms: Form[] = [
  {
    path: '/dashboard/add-domain',
    fields: { 'Enter domain': 'name' },
    call: ['POST', '/domains'],
  },
  {
    path: '/dashboard/new-mail-box',
    open: (page) => page.getByRole('dialog', { name: 'Create mailbox' }).waitFor(),
    fields: { 'First name': 'firstName', 'Last name': 'lastName', Email: 'email' },
    untouched: { fields: { Domain: 'domain' }, body: { domain: '' } },
    submit: 'Create',
    call: ['POST', '/mailboxes'],
  },
  {
    path: '/dashboard/settings',
    fields: {
      Name: 'name',
      Website: 'website',
      Phone: 'phone',
      Address: 'address',
      'Zip Code': 'zipCode',
      City: 'city',
    },
    untouched: {
      fields: { Country: 'country', 'Time Zone': 'timeZone', 'Time Format': 'timeFormat' },
      body: { country: '', timeZone: '', timeFormat: '' },
    },
    submit: 'Update',
    call: ['PUT', '/company'],
  },
  {
    path: '/dashboard/profile',
    fields: {
      'First name': 'firstName',
      'Last name': 'lastName',
      Email: 'email',
      Password: 'password',
    },
    submit: 'Save changes',
    call: ['PATCH', '/profile'],
  },
  {
    path: '/dashboard/profile?',
    open: dialogBy('Update password'),
    fields: {
      'Old Password': 'oldPassword',
      'New Password': 'newPassword',
      'Confirm New Password': 'confirmPassword',
    },
    submit: 'Save',
    call: ['POST', '/profile/password'],
  },
  {
    path: '/dashboard',
    open: async (page) => {
      await page.getByRole('button', { name: /^Workspace:/ }).click()
      await page.getByRole('menuitem', { name: 'Create workspace' }).click()
    },
    fields: { Name: 'name' },
    submit: 'Create',
    call: ['POST', '/workspaces'],
  },
]

/** Missing, too short and wrong, too long, and a line separator between right-to-left letters. */
const badValues = ['', 'ab c@', 'Ab1!'.repeat(350), 'שלום\u2028שלום']

const expectSameWords = async (page: Page, form: Form, ask: Person['call']): Promise<void> => {
  const { fields, untouched = { fields: {}, body: {} }, submit, call } = form
  // Nothing is saved here: what the server would say to the same body is asked beside.
  await page.route('**/api/v1/**', (route) =>
    route.request().method() === call[0] ? route.abort() : route.fallback(),
  )
  const scope = (await page.getByRole('dialog').count()) > 0 ? page.getByRole('dialog') : page
  const control = (label: string) => scope.getByLabel(label, { exact: true })
  const said = async () => {
    const all = Object.entries({ ...fields, ...untouched.fields }).map(
      async ([label, name]) => [name, await errorAt(control(label))] as const,
    )
    return Object.fromEntries((await Promise.all(all)).filter(([, message]) => message !== ''))
  }
  let refusals = 0
  for (const value of badValues) {
    const body: Record<string, unknown> = { ...untouched.body }
    for (const label of Object.keys(fields)) {
      await control(label).fill(value)
      if (submit === undefined) await control(label).blur()
    }
    // Some fields follow others: what is sent is what stands there now.
    for (const [label, name] of Object.entries(fields))
      body[name] = await control(label).inputValue()
    if (submit) await scope.getByRole('button', { name: submit, exact: true }).click()
    const answer = await ask(...call, body)
    const data = answer.status === 422 ? answer.body.data : {}
    refusals += Object.keys(data).length
    await expect.poll(said, `${form.path}: ${value.slice(0, 10)}`).toEqual(data)
  }
  expect(refusals, form.path).toBeGreaterThanOrEqual(3)
}

test('browser and server say the same of every bad value, in the forms of visitors [5.37]', async ({
  visitor: page,
  setting: { product },
}) => {
  for (const form of visitorForms) {
    await page.goto(form.path)
    await expectSameWords(page, form, async (method, path, body) => {
      const answer = await fetch(`${product.url}/api/v1${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: answer.status, body: await answer.json() }
    })
    await page.unrouteAll()
  }
})

for (const [where, forms] of [
  ['for domains, mailboxes and the company', personForms.slice(0, 3)],
  ['for oneself and for workspaces', personForms.slice(3)],
] as const)
  test(`browser and server say the same of every bad value, in the forms ${where} [5.37]`, async ({
    person: { page, call, workspace },
    setting,
  }) => {
    await aDomain(setting, { workspaceId: workspace.id, active: true })
    for (const form of forms) {
      await page.goto(form.path)
      await page.getByRole('heading').first().waitFor()
      await form.open?.(page)
      await expectSameWords(page, form, call)
      await page.unrouteAll()
      // Away without the question about what was typed.
      await page.goto('about:blank')
    }
  })

test('the lengths of passwords, by form: 8 to 50, 7, 7 and 6 [9.9]', async ({
  person: { page },
  setting,
  browser,
}) => {
  const forms = [
    ['/sign-up', 'Password', 'Sign Up', 8, 'Password must be at least 8 characters long', 50],
    ['/login', 'Password', 'Login', 7, 'Password must be at least 7 characters long', 128],
    [
      `/create-new-password?token=${'x'.repeat(43)}`,
      'New Password',
      'Save New Password',
      7,
      'Password must be at least 7 characters long',
      128,
    ],
    [
      '/dashboard/profile',
      'New Password',
      'Save',
      6,
      'New password must be at least 6 characters',
      128,
    ],
  ] as const
  const visitor = await browser.newContext({ baseURL: setting.product.url })
  const stranger = await visitor.newPage()
  for (const [path, label, button, min, tooShort, max] of forms) {
    const at = path.startsWith('/dashboard') ? page : stranger
    await at.goto(path)
    if (at === page) await dialogBy('Update password')(at)
    const scope = at === page ? at.getByRole('dialog') : at
    const control = scope.getByLabel(label, { exact: true })
    const ofLength = (length: number) => 'Aa1!'.padEnd(length, 'x')
    await control.fill(ofLength(min - 1))
    await scope.getByRole('button', { name: button, exact: true }).click()
    for (const [length, message] of [
      [min - 1, tooShort],
      [min, ''],
      [max, ''],
      [max + 1, `Password must be at most ${max} characters long`],
    ] as const) {
      await control.fill(ofLength(length))
      await expect.poll(() => errorAt(control), `${path}: ${length}`).toBe(message)
    }
  }
  await visitor.close()
})

/** Of the text and of what is behind it, as red, green and blue. */
const coloursOf = (text: Locator) =>
  text.evaluate((element) => {
    const rgb = (colour: string): [number, number, number, number] => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
      const context = canvas.getContext('2d')
      if (!context) throw new Error('no canvas')
      context.fillStyle = colour
      context.fillRect(0, 0, 1, 1)
      return [...context.getImageData(0, 0, 1, 1).data] as [number, number, number, number]
    }
    const behind = (at: Element | null): [number, number, number, number] => {
      const colour = at === null ? rgb('white') : rgb(getComputedStyle(at).backgroundColor)
      return at === null || colour[3] === 255 ? colour : behind(at.parentElement)
    }
    return { text: rgb(getComputedStyle(element).color), behind: behind(element) }
  })

const luminance = (colour: readonly number[]): number => {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test('an error is an alert icon and red text under its field, announced, in light and in dark [5.35]', async ({
  person: { page },
}) => {
  await page.goto('/dashboard/settings')
  const city = page.getByLabel('City', { exact: true })
  const field = page.locator('div', { has: city }).last()
  const region = field.locator('[aria-live="polite"]')
  // Readers announce only what comes into a region that they know already.
  await expect(region).toHaveCount(1)
  await expect(region).toBeEmpty()
  expect(await region.evaluate((element) => getComputedStyle(element).display)).not.toBe('none')
  await expect(city).not.toHaveAttribute('aria-invalid')
  await page.getByRole('button', { name: 'Update', exact: true }).click()

  await expect(city).toHaveAttribute('aria-invalid', 'true')
  await expect(city).toHaveAccessibleDescription('City is required')
  await expect(region).toHaveText('City is required')
  const icon = region.locator('svg')
  await expect(icon).toBeVisible()
  await expect(icon).toHaveAttribute('aria-hidden', 'true')
  await expect(icon).toHaveClass(/circle-alert/)
  const [at, under] = [await city.boundingBox(), await region.boundingBox()]
  const gap = (under?.y ?? 0) - (at?.y ?? 0) - (at?.height ?? 0)
  expect(gap).toBeGreaterThanOrEqual(0)
  expect(gap).toBeLessThan(12)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveClass(colorScheme === 'dark' ? /dark/ : /^(?!.*dark)/)
    const { text, behind } = await coloursOf(region.locator('p'))
    expect(text[0] - Math.max(text[1], text[2]), `${colorScheme}: ${text}`).toBeGreaterThan(60)
    const [dark, light] = [luminance(text), luminance(behind)].sort((a, b) => a - b)
    expect(((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)).toBeGreaterThanOrEqual(4.5)
    const stroke = await icon.evaluate((svg) => getComputedStyle(svg).color)
    expect(stroke).toBe(await region.locator('p').evaluate((p) => getComputedStyle(p).color))
  }
  await city.fill('London')
  await expect(region).toBeEmpty()
  await expect(city).not.toHaveAttribute('aria-invalid')
})

test("'Required' and 'Invalid input' where a field has no words of its own [5.36]", async ({
  person: { page, call, user },
}) => {
  expect(await call('POST', '/auth/verify-email', {})).toMatchObject({
    status: 422,
    body: { data: { session: 'Required' } },
  })
  expect(await call('POST', '/auth/verify-email', { session: 7 })).toMatchObject({
    status: 422,
    body: { data: { session: 'Invalid input' } },
  })
  expect((await call('GET', '/invoices?limit=many')).body.data).toEqual({ limit: 'Invalid input' })
  const somebody = `/members/${user.id}`
  expect((await call('PATCH', somebody, {})).body.data).toEqual({ role: 'Required' })
  expect((await call('PATCH', somebody, { role: 'Owner' })).body.data).toEqual({
    role: 'Invalid input',
  })
  // A website is text in this form; what the server says of any other kind of value has its place all the same.
  await page.route('**/api/v1/company', (route) =>
    route.request().method() === 'PUT'
      ? route.continue({ postData: { ...route.request().postDataJSON(), website: 7 } })
      : route.fallback(),
  )
  await page.goto('/dashboard/settings')
  for (const label of ['Name', 'Address', 'Zip Code', 'City'])
    await page.getByLabel(label, { exact: true }).fill('London')
  await page.getByLabel('Phone').fill('+44 20 7946 0018')
  for (const label of ['Country', 'Time Zone', 'Time Format']) {
    await page.getByLabel(label, { exact: true }).click()
    await page.getByRole('option').first().click()
  }
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await expect(page.getByLabel('Website')).toHaveAccessibleDescription('Invalid input')
  await expect(page.getByLabel('Website')).toBeFocused()
})

test('no select offers an empty value [5.34]', async ({ person, setting }) => {
  const { page, workspace, call } = person
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  await call('POST', '/workspaces', { name: 'Second' })
  await call('POST', `/workspaces/${workspace.id}/switch`)
  const expectFull = async (select: Locator) => {
    await select.click()
    const options = page.getByRole('option')
    await expect(options.first()).toBeVisible()
    const empty = await options.evaluateAll(
      (all) => all.filter((one) => !(one as HTMLElement).dataset.value || !one.textContent).length,
    )
    expect(empty).toBe(0)
    await page.keyboard.press('Escape')
  }
  await page.goto('/dashboard/settings')
  for (const label of ['Country', 'Time Zone', 'Time Format'])
    await expectFull(page.getByLabel(label, { exact: true }))
  await page.goto('/dashboard/mailboxes')
  await dialogBy('Create mailboxes')(page)
  await expectFull(page.getByRole('dialog').getByLabel('Domain', { exact: true }))
  await page.keyboard.press('Escape')
  await dialogBy('Auto generate')(page)
  await expectFull(page.getByRole('dialog').getByLabel('Mailboxes per domain'))
  await page.keyboard.press('Escape')
  await page.goto('/dashboard/domains')
  await page.getByRole('button', { name: `Actions for ${domain.name}` }).click()
  await page.getByRole('menuitem', { name: 'Add to workspace' }).click()
  await expectFull(page.getByRole('dialog').getByLabel('Workspace', { exact: true }))
})
