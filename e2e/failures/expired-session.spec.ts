/** A session that runs out in the middle of a form: after login the same form is there, with what was typed, and can be sent. */
import { logIn } from '../browsers.ts'
import { chosenFrom } from '../sample.ts'
import { putWornToken, runOut } from '../specification/access-cookie.ts'
import { expect, expectToast, test } from '../specification/setting.ts'
import { begin, expectTyped, pathOf, scopeOf } from './steps.ts'
import { aWorld } from './world.ts'
import { forms } from './writes.ts'

for (const [name, form] of chosenFrom(forms, 'domain', 'profile'))
  test(`${name}: a session that runs out costs nothing that was typed`, async ({
    setting,
    person,
  }) => {
    const { page, context, user, email } = person
    const world = await aWorld(setting, person)
    const typed = form.typed(world)
    const send = async () =>
      (await scopeOf(page)).getByRole('button', { name: form.button, exact: true })
    await begin(page, form, world)
    await runOut(setting, user)
    await putWornToken(context, setting.product.url)
    await (await send()).click()
    await expect(page).toHaveURL('/login')
    await expectToast(page, 'Session Expired!!', 'Your session has been expired')
    await logIn(page, email)
    await expect(page).toHaveURL(pathOf(form, world))
    // Secrets are typed again.
    const isKept = (value: string) => (form.isSecret ? '' : value)
    await expectTyped(
      page,
      Object.fromEntries(Object.entries(typed).map(([label, value]) => [label, isKept(value)])),
    )
    if (form.isSecret) return
    const [method, path] = form.call
    const sent = page.waitForResponse(
      (answer) =>
        answer.request().method() === method &&
        new RegExp(`/api/v1${path.replaceAll('*', '[^/]+')}$`).test(answer.url()),
    )
    await (await send()).click()
    expect((await sent).status()).toBeLessThan(300)
  })
