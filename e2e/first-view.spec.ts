/** The page that the server draws: it shows before any script has run, and only to its user. */
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { aDomain, aMailbox, aWorkspace, letRead } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import {
  aPerson,
  expect,
  opened,
  type Person,
  type Setting,
  test,
} from './specification/setting.ts'

/** A visit gives the browser its access token, with which the next page is drawn. */
const visited = async (person: Person): Promise<void> => {
  await person.page.goto('/dashboard')
  await expect(person.page.getByText('Messages today').first()).toBeVisible()
  const names = async () => (await person.context.cookies()).map(({ name }) => name)
  await expect.poll(names).toContain('_access_token')
}

/** The app comes late. Returns what lets it come. */
const holdingApp = async (page: Page): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/index-*.js', async (route) => {
    await promise
    await route.fallback()
  })
  return resolve
}

/** The same cookies in a browser that runs no script. */
const withoutScripts = async (person: Person): Promise<Page> => {
  const context = await person.context.browser()?.newContext({
    javaScriptEnabled: false,
    storageState: await person.context.storageState(),
  })
  if (!context) throw new Error('no browser')
  return context.newPage()
}

const aReadMailbox = async (setting: Setting, { workspace, user }: Person) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  return mailbox
}

/** 'The mill', from Grace. */
const receive = async (setting: Setting, to: string): Promise<void> => {
  const raw = `From: Grace <grace@${ELSEWHERE}>\r\nTo: ${to}\r\nSubject: The mill\r\n\r\nIt weaves.\r\n`
  const letter = { from: `grace@${ELSEWHERE}`, to, raw }
  expect(await sendMail(setting.product.smtpPort, letter)).toMatch(/^250 /)
}

test('a list is read before any script has run, with the styles of its places', async ({
  person,
  setting,
}) => {
  await aDomain(setting, { workspaceId: person.workspace.id, name: 'drawn.example', active: true })
  await visited(person)
  const page = await withoutScripts(person)
  await page.goto(`${setting.product.url}/dashboard/domains`)
  await expect(page.getByText('drawn.example')).toBeVisible()
  await expect(page.getByText('Total Domains: 1')).toBeVisible()
  const body = page.getByRole('region', { name: 'Domains', exact: true })
  expect(await body.evaluate((element) => (element as HTMLElement).offsetHeight)).toBe(551)
  await page.context().close()
})

/** A way to the product on which a page comes in two pieces: the second when `sendRest` is called. */
const onSlowLine = async (productUrl: string) => {
  const { promise: allowed, resolve: sendRest } = Promise.withResolvers<void>()
  const server = createServer(async (asked, reply) => {
    const { method, headers } = asked
    const passed = request(new URL(asked.url ?? '/', productUrl), { method, headers })
    asked.pipe(passed)
    const [answer] = (await once(passed, 'response')) as [IncomingMessage]
    reply.writeHead(answer.statusCode ?? 0, answer.headers)
    if (!asked.url?.startsWith('/dashboard')) return answer.pipe(reply)
    const page = await text(answer)
    const cut = page.indexOf('slow.example')
    reply.write(page.slice(0, cut))
    await allowed
    reply.end(page.slice(cut))
  }).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { origin } = Object.assign(new URL(productUrl), { port })
  return { url: origin, sendRest, close: () => server.close() }
}

test('the app is there before the end of the page: it waits for it, and goes on with the view', async ({
  person,
  setting,
}) => {
  await aDomain(setting, { workspaceId: person.workspace.id, name: 'slow.example', active: true })
  await visited(person)
  const { page } = person
  const line = await onSlowLine(setting.product.url)
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  const ofApp = page.waitForResponse(/\/assets\/index-[^/]*\.js$/)
  await page.goto(`${line.url}/dashboard/domains`, { waitUntil: 'commit' })
  // An app that does not wait has run by then.
  await page.evaluate(
    (app) =>
      Promise.race([import(app), new Promise((done) => setTimeout(done, 500))]).then(() => {}),
    new URL((await ofApp).url()).pathname,
  )
  line.sendRest()
  await expect(page.getByText('slow.example')).toBeVisible()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible()
  expect(errors).toEqual([])
  await page.goto('about:blank')
  line.close()
})

test('every page of the dashboard is drawn', async ({ person, setting }) => {
  await visited(person)
  const mailbox = await aReadMailbox(setting, person)
  const domain = { id: mailbox.domainId }
  const page = await withoutScripts(person)
  for (const path of [
    '',
    '/domains',
    `/domains/${domain.id}`,
    '/add-domain',
    '/mailboxes',
    '/view-mail',
    '/mail-box-settings',
    '/settings',
    '/profile',
    '/profile?tab=billing',
    '/workspaces',
    `/mailbox-access?mailbox=${mailbox.id}`,
  ]) {
    await page.goto(`${setting.product.url}/dashboard${path}`)
    await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeVisible()
  }
  await page.context().close()
})

test('an Inbox is read before any script has run, and a message in it; then nothing is asked for again', async ({
  person,
  setting,
}) => {
  const { page } = person
  const mailbox = await aReadMailbox(setting, person)
  await receive(setting, mailbox.email)
  await visited(person)
  const inbox = `/dashboard/view-mail?mailbox=${mailbox.id}`
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  page.once('framenavigated', () => asked.splice(0))
  const ahead = page.waitForResponse(/\/ahead\?/)
  await opened(page, inbox)
  const row = page.getByRole('link', { name: /The mill/ })
  // Where the reader is, the server does not know.
  await expect(row.locator('time')).toHaveText(/^\d+:\d\d [AP]M$/)
  await expect.poll(() => asked).toContain('/api/v1/events')
  // What is listed is read ahead.
  await (await ahead).finished()
  const again = asked.filter((path) => /\/mailboxes|\/workspaces/.test(path))
  expect(again.filter((path) => !path.endsWith('/ahead'))).toEqual([])
  await person.context.setOffline(true)
  await row.click()
  await expect(page.getByRole('article', { name: 'The mill' })).toContainText('It weaves.')
  await person.context.setOffline(false)
  const message = page.url()

  const drawn = await withoutScripts(person)
  await drawn.goto(setting.product.url + inbox)
  await expect(drawn.getByRole('link', { name: /The mill/ })).toBeVisible()
  await expect(drawn.getByRole('link', { name: /^Inbox/ })).toBeVisible()
  await expect(drawn.locator('time')).toHaveText('')
  await drawn.goto(message)
  await expect(drawn.getByRole('article', { name: 'The mill' })).toContainText('It weaves.')
  await drawn.context().close()
})

test('an Inbox is read before any script has run also where it is the last of many mailboxes', async ({
  person,
  setting,
}) => {
  const mailbox = await aReadMailbox(setting, person)
  await receive(setting, mailbox.email)
  // Newer ones come first, and the page is drawn with the first fifty.
  for (let n = 0; n < 60; n++) await aReadMailbox(setting, person)
  await visited(person)
  const path = `/dashboard/view-mail?mailbox=${mailbox.id}`
  const drawn = await withoutScripts(person)
  await drawn.goto(setting.product.url + path)
  await expect(drawn.getByRole('link', { name: /The mill/ })).toBeVisible()
  await drawn.context().close()

  const { page } = person
  await opened(page, path)
  await expect(page.getByRole('link', { name: /The mill/ })).toBeVisible()
  // The others follow.
  await page.getByRole('button').filter({ hasText: mailbox.email }).click()
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(61)
})

test('a mail that comes when the page is drawn and does not listen yet is shown as soon as it does', async ({
  person,
  setting,
}) => {
  const { page } = person
  const mailbox = await aReadMailbox(setting, person)
  await visited(person)
  const { promise: mayListen, resolve: listen } = Promise.withResolvers<void>()
  await page.route('**/api/v1/events', async (route) => {
    await mayListen
    await route.fallback()
  })
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
  await expect(page.getByText('Nothing in Inbox')).toBeVisible()
  await receive(setting, mailbox.email)
  listen()
  await expect(page.getByRole('link', { name: /The mill/ })).toBeVisible()
})

test('login is read and posted nowhere before any script has run', async ({ browser, setting }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${setting.product.url}/login`)
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('Engine-No-1!')
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await expect(page).toHaveURL(`${setting.product.url}/login`)
  await context.close()
})

test('the app goes on with what is drawn: nothing is made or asked for twice, nothing typed is lost', async ({
  person,
  setting,
}) => {
  const { page } = person
  await aDomain(setting, { workspaceId: person.workspace.id, name: 'kept.example' })
  await visited(person)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  // The page before may still be asking when this one is opened.
  page.once('framenavigated', () => asked.splice(0))
  // There is time to type.
  const letAppCome = await holdingApp(page)
  await page.goto('/dashboard/domains')
  const row = page.getByRole('cell', { name: 'kept.example', exact: true })
  const heading = page.getByRole('heading', { name: 'Domains', level: 1 })
  await heading.evaluate((element) => element.setAttribute('data-drawn', 'by the server'))
  await page.getByPlaceholder('Search').fill('nothing like it')
  await page.getByRole('button', { name: 'Account menu' }).click()
  letAppCome()
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeVisible()
  await page.keyboard.press('Escape')
  // The menu returns the focus after its exit animation, even when the user already types elsewhere.
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeFocused()
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.getByPlaceholder('Search').fill('')
  await expect(row).toBeVisible()
  await expect(heading).toHaveAttribute('data-drawn', 'by the server')
  await expect.poll(() => asked).toContain('/api/v1/auth/refresh')
  expect(asked).not.toContain('/api/v1/domains')
})

test('a button that is held down when the app comes is pressed; one that was left again is not', async ({
  person,
}) => {
  const { page } = person
  await visited(person)
  const letAppCome = await holdingApp(page)
  const isListening = page.waitForRequest('**/api/v1/events')
  await page.goto('/dashboard/settings?tab=users', { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Account menu' }).hover()
  await page.mouse.down()
  await page.getByRole('heading', { name: 'Settings', level: 1 }).hover()
  await page.mouse.up()
  const tab = page.getByRole('tab', { name: 'Account' })
  await tab.hover()
  await page.mouse.down()
  letAppCome()
  await isListening
  await page.mouse.up()
  await expect(tab).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByLabel('Name', { exact: true })).toBeVisible()
  await expect(page.getByRole('menu')).toHaveCount(0)
})

test('what is typed and sent by Enter before the app comes is sent by it', async ({ person }) => {
  const { page } = person
  await visited(person)
  const letAppCome = await holdingApp(page)
  await page.goto('/dashboard/add-domain')
  const name = `early-${crypto.randomUUID().slice(0, 8)}.example`
  await page.getByLabel('Enter domain', { exact: true }).fill(name)
  await page.keyboard.press('Enter')
  letAppCome()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('a link that is pressed before the app comes is opened by it, and no page is loaded anew', async ({
  person,
  setting,
}) => {
  const mailbox = await aReadMailbox(setting, person)
  await receive(setting, mailbox.email)
  await visited(person)
  const { page } = person
  const letAppCome = await holdingApp(page)
  const path = `/dashboard/view-mail?mailbox=${mailbox.id}`
  await page.goto(path)
  const pages: string[] = []
  page.on('request', (asked) => asked.isNavigationRequest() && pages.push(asked.url()))
  // What opens a link elsewhere is the browser's.
  const [elsewhere] = await Promise.all([
    person.context.waitForEvent('page'),
    page.getByRole('link', { name: /The mill/ }).click({ modifiers: ['ControlOrMeta'] }),
  ])
  await elsewhere.close()
  await page.getByRole('link', { name: /The mill/ }).click()
  expect(page.url()).toBe(setting.product.url + path)
  letAppCome()
  await expect(page.getByRole('article', { name: 'The mill' })).toContainText('It weaves.')
  expect(pages).toEqual([])
})

test('a link that is pressed leads on also when the app cannot start', async ({ person }) => {
  const { page } = person
  await visited(person)
  await page.route('**/assets/index-*.js', (route) => route.abort())
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Domains', exact: true }).first().click()
  await expect(page).toHaveURL(/\/dashboard\/domains$/)
  await expect(page.getByRole('heading', { name: 'Domains', level: 1 })).toBeVisible()
})

test('a page that differs from what the server drew fails its story', async ({
  person,
  hydrationErrors,
}) => {
  const { page } = person
  await visited(person)
  await page.route('**/dashboard/settings', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace('>Settings</h1>', '>Other settings</h1>')
    await route.fulfill({ response: answer, body })
  })
  await page.goto('/dashboard/settings')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1, exact: true })).toBeVisible()
  expect(hydrationErrors.splice(0)).toHaveLength(1)
})

test.describe('far from the server', () => {
  test.use({ timezoneId: 'Asia/Tokyo' })

  test('the app goes on with what is drawn there too, however late it comes', async ({
    person,
  }) => {
    const { page } = person
    await visited(person)
    const letAppCome = await holdingApp(page)
    const isListening = page.waitForRequest('**/api/v1/events')
    await page.goto('/dashboard/settings?tab=users', { waitUntil: 'commit' })
    const heading = page.getByRole('heading', { level: 1 })
    await heading.evaluate((element) => element.setAttribute('data-drawn', 'by the server'))
    const lastLogin = page.locator('time').first()
    await expect(lastLogin).toHaveText('')
    // The clock goes on: what the server had drawn would be of another moment.
    setTimeout(letAppCome, 2_100)
    await isListening
    await expect(lastLogin).toHaveText('just now')
    await expect(heading).toHaveAttribute('data-drawn', 'by the server')
  })
})

test('a tab in another workspace, a login page of somebody signed in: never the wrong view', async ({
  person,
  setting,
}) => {
  const { page, user } = person
  await aDomain(setting, { workspaceId: person.workspace.id, name: 'first.example' })
  const second = await aWorkspace(setting, { members: [{ user, role: 'Admin' }] })
  await aDomain(setting, { workspaceId: second.id, name: 'second.example' })
  await visited(person)
  await page.evaluate((id) => sessionStorage.setItem('mailstead-workspace', id), second.id)
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const isSeen = document.querySelector('#root')?.checkVisibility({ visibilityProperty: true })
      if (isSeen)
        Object.assign(globalThis, {
          seen: document.body.innerText + (globalThis as { seen?: string }).seen,
        })
    }).observe(document, { subtree: true, childList: true })
  })
  await page.goto('/dashboard/domains')
  await expect(page.getByText('second.example')).toBeVisible()
  const seen = () => page.evaluate(() => (globalThis as { seen?: string }).seen)
  expect(await seen()).not.toContain('first.example')
  // What start.js kept for the drawn page is over with it.
  await page.getByRole('button', { name: 'Actions for second.example' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.goto('/login')
  await expect(page).toHaveURL('/dashboard')
  expect(await seen()).not.toContain('Welcome Back')
})

test('a page is drawn after the access token ran out, until its session ends or is renewed', async ({
  person,
  setting,
}) => {
  const { page, context } = person
  await aDomain(setting, { workspaceId: person.workspace.id, name: 'returned.example' })
  await visited(person)
  const tokens = async () =>
    Object.fromEntries((await context.cookies()).map(({ name, value }) => [name, value]))
  // A call of this page without its token would renew the session.
  await page.goto('about:blank')
  const { mailstead_page: old = '' } = await tokens()
  await context.clearCookies({ name: '_access_token' })
  const drawn = await withoutScripts(person)
  await drawn.goto(`${setting.product.url}/dashboard/domains`)
  await expect(drawn.getByText('returned.example')).toBeVisible()
  await drawn.context().close()

  const address = `${setting.product.url}/dashboard/domains`
  const pageWith = (token = '') =>
    fetch(address, { headers: { accept: 'text/html', cookie: `mailstead_page=${token}` } })
  const shown = await pageWith(old)
  expect(shown.headers.get('cache-control')).toBe('no-store')
  expect(shown.headers.get('set-cookie')).toBeNull()
  expect(await shown.text()).toContain('returned.example')
  // It is good for nothing else.
  const authorization = `Bearer ${old}`
  const asked = await fetch(`${setting.product.url}/api/v1/domains`, { headers: { authorization } })
  expect(asked.status).toBe(401)
  const cookie = `mailstead_refresh=${old}`
  const refreshed = await fetch(`${setting.product.url}/api/v1/auth/refresh`, {
    ...{ method: 'POST', headers: { cookie } },
  })
  expect(refreshed.status).toBe(401)
  const { mailstead_refresh: refresh = '' } = await tokens()
  for (const token of [refresh, `${old}x`, old.replace(/\.\d+\./, '.7.'), 'a.0.b'])
    expect(await (await pageWith(token)).text(), token).not.toContain('returned.example')

  // The app goes on with what is drawn, and renews the session.
  await opened(page, '/dashboard/domains')
  await expect.poll(async () => (await tokens())._access_token).toBeTruthy()
  const { mailstead_page: renewed = '' } = await tokens()
  expect(renewed).not.toBe(old)
  expect(await (await pageWith(old)).text()).not.toContain('returned.example')
  expect(await (await pageWith(renewed)).text()).toContain('returned.example')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect((await tokens()).mailstead_page).toBeUndefined()
  expect(await (await pageWith(renewed)).text()).not.toContain('returned.example')
})

test('nobody gets a view by a token that is made up, of another, or of a session that has ended', async ({
  person,
  setting,
  browser,
}) => {
  await aDomain(setting, { workspaceId: person.workspace.id, name: 'secret.example' })
  await visited(person)
  const stranger = await aPerson(setting, ...(await aBrowser(browser)))
  const address = `${setting.product.url}/dashboard/domains`
  const bodyWith = async (cookie: string): Promise<string> =>
    (await fetch(address, { headers: { accept: 'text/html', cookie } })).text()
  const [own] = (await person.context.cookies()).filter(({ name }) => name === '_access_token')
  const cookie = `_access_token=${own?.value}`
  expect(await bodyWith(cookie)).toContain('secret.example')
  const answer = await fetch(address, { headers: { accept: 'text/html', cookie } })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  for (const value of ['', 'x', '%7B%7D', encodeURIComponent('{"token":"a.b.c"}'), '%', '%5B%5D'])
    expect(await bodyWith(`_access_token=${value}`)).not.toContain('secret.example')
  await visited(stranger)
  const [other] = (await stranger.context.cookies()).filter(({ name }) => name === '_access_token')
  const theirs = await bodyWith(`_access_token=${other?.value}`)
  expect(theirs).toContain('No domain available')
  expect(theirs).not.toContain('secret.example')
  await person.page.getByRole('button', { name: 'Account menu' }).click()
  await person.page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(person.page).toHaveURL(/\/login$/)
  expect(await bodyWith(cookie)).not.toContain('secret.example')
})

const aBrowser = async (browser: import('@playwright/test').Browser) => {
  const context = await browser.newContext()
  return [context, await context.newPage()] as const
}

test('a long message is not drawn, and comes with the app; an address with dots is not drawn either', async ({
  person,
  setting,
}) => {
  const mailbox = await aReadMailbox(setting, person)
  const from = `grace@${ELSEWHERE}`
  const words = 'It weaves. '.repeat(60_000)
  const raw = `From: Grace <${from}>\r\nTo: ${mailbox.email}\r\nSubject: The mill\r\n\r\n${words.replaceAll('. I', '.\r\nI')}\r\n`
  expect(await sendMail(setting.product.smtpPort, { from, to: mailbox.email, raw })).toMatch(
    /^250 /,
  )
  await visited(person)
  const { page } = person
  await page.goto(`/dashboard/view-mail?mailbox=${mailbox.id}`)
  await page.getByRole('link', { name: /The mill/ }).click()
  await expect(page.getByRole('article')).toContainText('It weaves.')
  const drawn = await page.goto(page.url())
  expect((await drawn?.text())?.length).toBeLessThan(200_000)
  await expect(page.getByRole('article')).toContainText('It weaves.')

  const cookie = (await person.context.cookies()).map(({ name, value }) => `${name}=${value}`)
  const headers = { accept: 'text/html', cookie: cookie.join('; ') }
  const asked = get(`${setting.product.url}/`, { path: '/dashboard/../dashboard/domains', headers })
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  expect(await text(answer)).toContain('<div id="root"></div>')
})
