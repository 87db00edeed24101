/** A user at the editor of a DNS provider, who knows only what the wizard shows. */
import type { Locator, Page } from '@playwright/test'
import type { ZoneRecordType } from '#test-world/dns/dns-zones.ts'
import type { Setting } from '../specification/setting.ts'

/** A line of the editor, which appends its zone to every host. */
export type Entry = { type: 'TXT' | 'MX'; host: string; values: string[]; priority?: string }

export type Editor = {
  zone: string
  entries: Entry[]
  /** The host of a name in this zone. */
  hostOf(name: string): string
  /** Publishes the entries as they stand now, and nothing else. */
  save(): void
}

export const anEditor = ({ product: { dns } }: Setting, zone: string): Editor => {
  let published: { name: string; type: ZoneRecordType }[] = []
  const entries: Entry[] = []
  const nameOf = (host: string) => (host === '@' || host === '' ? zone : `${host}.${zone}`)
  return {
    zone,
    entries,
    hostOf: (name) => (name === zone ? '@' : name.slice(0, -zone.length - 1)),
    save: () => {
      for (const { name, type } of published) dns.remove(name, type)
      published = entries.map(({ host, type }) => ({ name: nameOf(host), type }))
      for (const { name, type } of published) {
        const same = entries.filter((each) => nameOf(each.host) === name && each.type === type)
        const mx = same.map(({ priority, values }) => `${priority} ${values.join('')}`)
        dns.set(name, type, type === 'MX' ? mx : same.map(({ values }) => values.flatMap(strings)))
      }
    },
  }
}

/** A name server stores what is typed in strings of 255 bytes. */
const strings = (value: string): string[] => value.match(/.{1,255}/gs) ?? ['']

export const heading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { name, exact: true, level: 2 })
export const verifyButton = (page: Page): Locator =>
  page.getByRole('button', { name: 'Verify', exact: true })
export const continueButton = (page: Page): Locator =>
  page.getByRole('button', { name: 'Continue', exact: true })

/** The row of a record in any table of the page, by a text in it. */
export const rowOf = (page: Page, text: string): Locator =>
  page
    .getByRole('row')
    .filter({ hasText: text })
    .filter({ has: page.getByLabel('Copy value') })
export const statusOf = (row: Locator): Locator => row.getByRole('cell').last().locator('div')

/** Adds the domain in the browser; the wizard is at its second step then. */
export const addDomain = async (page: Page, name: string): Promise<void> => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/dashboard/add-domain')
  await page.getByLabel('Enter domain', { exact: true }).fill(name)
  await continueButton(page).click()
  await heading(page, 'Verify domain').waitFor()
}

/** By the copy buttons, as people do it. */
export const copyRecord = async (row: Locator): Promise<Entry> => {
  const page = row.page()
  const copy = async (what: string) => {
    await row.getByRole('button', { name: `Copy ${what}` }).click()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const cells = await row.getByRole('cell').allInnerTexts()
  const type = cells[0]?.includes('MX') ? 'MX' : 'TXT'
  const [host, value] = [await copy('host'), await copy('value')]
  return { type, host, values: [value], ...(type === 'MX' ? { priority: cells[3] ?? '' } : {}) }
}

/** Instead of waiting the 15 seconds between two looks at a domain whose page is open. */
export const letTimePass = async ({ db, clock }: Setting, page: Page): Promise<void> => {
  await db
    .updateTable('domainRecords')
    .set({ nextCheckAt: clock.now() })
    .where('domainId', '=', new URL(page.url()).searchParams.get('id') ?? '')
    .where('nextCheckAt', 'is not', null)
    .execute()
}
