/** Enough for every page to have something to show, and ways to cut and to lose what is between it and the server. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import type { Person, Setting } from '../specification/setting.ts'

/** `domainId` is of a domain that is not verified yet; `domainName` of one that is active. */
export type World = { domainId: string; domainName: string; mailboxId: string; email: string }

export const aWorld = async (setting: Setting, person: Person): Promise<World> => {
  const { workspace, user, call } = person
  const workspaceId = workspace.id
  const name = `waiting-${crypto.randomUUID().slice(0, 8)}.example`
  const added = call('POST', '/domains', { name })
  const domain = await aDomain(setting, { workspaceId, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  return {
    domainId: (await added).body._id,
    domainName: domain.name,
    mailboxId: mailbox.id,
    email: mailbox.email,
  }
}

/** Each failed try of a query as the console tells it: '500 INTERNAL'. */
export const watchTries = (page: Page): string[] => {
  const tries: string[] = []
  page.on('console', (message) => {
    const told = /^query failed \(\d\): (.*)$/.exec(message.text())
    if (told?.[1]) tries.push(told[1])
  })
  return tries
}

/** The sum of layout shifts of this page since it was loaded. */
export const shiftOf = (page: Page): Promise<number> => page.evaluate(() => window.shifted)

export const watchShifts = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    window.shifted = 0
    const add = (entry: PerformanceEntry) => {
      const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
      if (!shift.hadRecentInput) window.shifted += shift.value
    }
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({
      ...{ type: 'layout-shift', buffered: true },
    })
  })
}
