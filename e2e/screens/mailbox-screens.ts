import type { Page } from '@playwright/test'
import type { ImportedRow } from '#contract/many-mailboxes.ts'
import { newId } from '#server/lib/ids.ts'
import {
  button,
  click,
  dialog,
  listbox,
  menu,
  question,
  type Screen,
  showMoreRows,
} from './screen.ts'

const mailboxes = (screen: Omit<Screen, 'who' | 'path'>): Screen => ({
  ...screen,
  who: 'member',
  path: '/dashboard/mailboxes',
})

const openMenu = (page: Page) => page.getByRole('button', { name: /^Actions for ada@/ }).click()

/** Those to be paid are selected at first, so once may be to none. */
const selectAll = (page: Page) => page.getByRole('checkbox', { name: 'Select all' }).check()

const chooseDomains = async (page: Page) => {
  await button(page, 'Auto generate').click()
  await dialog(page).getByLabel('Domains').click()
  await page.getByRole('option').first().waitFor()
}

const chooseNames = async (page: Page) => {
  await chooseDomains(page)
  for (const option of (await page.getByRole('option').all()).slice(0, 4)) await option.click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Mailboxes per domain').click()
  await page.getByRole('option', { name: '5' }).click()
  await button(page, 'Next').click()
  await page.getByLabel('Name type').click()
  await page.getByRole('option', { name: 'Random (female)' }).click()
  await page.getByLabel('Last name 5').waitFor()
}

const LONG = 'Maximiliane-Alexandrina'
const faults = ['over-limit', 'domain-unknown', 'name-formula', 'repeated'] as const

/** One ready row, one of three kinds of faults, and so many of the first kind that they have pages. */
const IMPORTED: ImportedRow[] = Array.from({ length: 40 }, (_, at) => ({
  ...{
    row: at + 2,
    firstName: LONG,
    lastName: `von Hohenzollern-Sigmaringen ${at}`,
    id: null,
    otherEmail: null,
  },
  email: at === 0 ? `${LONG}@analytical-engines.example`.toLowerCase() : '',
  result: at === 0 ? 'ready' : 'refused',
  reason: at === 0 ? '' : 'over the limit of 5 mailboxes of analytical-engines.example',
  fault: at === 0 ? null : (faults[at] ?? 'over-limit'),
}))

const made = (row: ImportedRow): ImportedRow =>
  row.result === 'ready' ? { ...row, result: 'created', id: newId() } : row

const checkTable = async (page: Page) => {
  await button(page, 'Import').click()
  const people = IMPORTED.map(
    ({ firstName, lastName }) => `${firstName};${lastName};analytical-engine.example`,
  )
  await page.getByLabel('People').fill(['Vorname;Name;Domain', ...people].join('\n'))
  await button(page, 'Check').click()
}

const MADE_LINKS = {
  items: [
    {
      ...{ mailboxId: 'one', email: 'ada@analytical-engines.example', mailedTo: null },
      ...{ link: `https://mail.example/mailbox-access?token=${'x'.repeat(40)}`, refusal: null },
      expiresAt: '2026-12-02T12:00:00.000Z',
    },
  ],
}

const makeLinks = async (page: Page) => {
  await selectAll(page)
  await button(page, 'Set up access').click()
  await button(page, /links?$/).click()
}

export const mailboxScreens: Screen[] = [
  mailboxes({ name: 'mailboxes', state: 'full', ready: 'ada@analytical-engines.example' }),
  {
    ...{ name: 'mailboxes, none', who: 'newcomer', state: 'empty', path: '/dashboard/mailboxes' },
    ready: 'No mailboxes available',
  },
  mailboxes({
    ...{ name: 'mailboxes, loading', state: 'loading', holds: ['/mailboxes*', '/stats'] },
    ready: (page) => page.getByRole('table'),
  }),
  mailboxes({
    ...{ name: 'mailboxes, failed', state: 'failing', fails: ['/mailboxes*', '/stats'] },
    ready: 'Error loading mailboxes',
  }),
  mailboxes({
    ...{ name: 'mailboxes, nothing found', state: 'empty' },
    steps: (page) => page.getByLabel('Search mailboxes').fill('z'.repeat(80)),
    ready: 'Nothing found',
  }),
  mailboxes({
    ...{ name: 'mailboxes, full height', state: 'full', steps: showMoreRows },
    ready: (page) => page.getByRole('button', { name: 'Show more rows', pressed: true }),
  }),
  mailboxes({
    ...{ name: 'mailboxes, selected', state: 'full', steps: selectAll },
    ready: (page) => page.getByRole('region', { name: 'Selected rows' }),
  }),
  mailboxes({
    ...{ name: 'mailboxes, set up access', state: 'open' },
    steps: async (page) => {
      await selectAll(page)
      await button(page, 'Set up access').click()
    },
    ready: dialog,
  }),
  mailboxes({
    ...{ name: 'mailboxes, links made', state: 'open', steps: makeLinks },
    answers: { 'POST /mailboxes/access-links': { status: 201, json: MADE_LINKS } },
    ready: (page) => button(page, 'Download 1 link'),
  }),
  mailboxes({
    ...{ name: 'mailboxes, leave without the links', state: 'open' },
    answers: { 'POST /mailboxes/access-links': { status: 201, json: MADE_LINKS } },
    steps: async (page) => {
      await makeLinks(page)
      await button(page, 'Done').click()
    },
    ready: question,
  }),
  mailboxes({
    ...{ name: 'mailboxes, import', state: 'open', steps: click('Import') },
    ready: dialog,
  }),
  mailboxes({
    ...{ name: 'mailboxes, import, faults', state: 'failing', steps: checkTable },
    answers: { 'POST /mailboxes/import': { json: { created: 0, rows: IMPORTED } } },
    ready: (page) => page.getByRole('region', { name: 'Rows with a fault' }),
  }),
  mailboxes({
    ...{ name: 'mailboxes, import, result', state: 'open' },
    answers: {
      'POST /mailboxes/import': { json: { created: 1, rows: IMPORTED.map(made) } },
    },
    steps: async (page) => {
      await checkTable(page)
      await button(page, /^Create /).click()
    },
    ready: (page) => button(page, 'Download result'),
  }),
  mailboxes({ name: 'mailboxes, action menu', state: 'open', steps: openMenu, ready: menu }),
  mailboxes({
    ...{ name: 'mailboxes, edit', state: 'open' },
    steps: async (page) => {
      await openMenu(page)
      await page.getByRole('menuitem', { name: 'Edit Record' }).click()
    },
    ready: dialog,
  }),
  mailboxes({
    ...{ name: 'mailboxes, delete', state: 'open' },
    steps: async (page) => {
      await openMenu(page)
      await page.getByRole('menuitem', { name: 'Delete Record' }).click()
    },
    ready: question,
  }),
  mailboxes({
    ...{ name: 'mailboxes, suspend', state: 'open' },
    steps: async (page) => {
      await openMenu(page)
      await page.getByRole('menuitem', { name: 'Suspend' }).click()
    },
    ready: question,
  }),
  mailboxes({ name: 'mailboxes, pay', state: 'open', steps: click(/^Pay Now/), ready: question }),
  {
    ...{ name: 'new-mail-box', who: 'member', state: 'open', path: '/dashboard/new-mail-box' },
    ready: (page) => dialog(page).getByText('Select a domain'),
  },
  {
    ...{ name: 'new-mail-box, no domain', who: 'newcomer', state: 'empty' },
    path: '/dashboard/new-mail-box',
    ready: 'No domain is active yet.',
  },
  {
    ...{ name: 'new-mail-box, domains', who: 'member', state: 'open' },
    path: '/dashboard/new-mail-box',
    steps: (page) => dialog(page).getByRole('combobox', { name: 'Domain' }).click(),
    ready: (page) => page.getByRole('option'),
  },
  {
    ...{ name: 'new-mail-box, wrong', who: 'member', state: 'failing' },
    path: '/dashboard/new-mail-box',
    steps: click('Create'),
    ready: 'Empty first name',
  },
  mailboxes({
    ...{ name: 'mailboxes, generate 1, domains', state: 'open', steps: chooseDomains },
    ready: listbox,
  }),
  mailboxes({
    ...{ name: 'mailboxes, generate 2', state: 'open', steps: chooseNames },
    ready: (page) => page.getByLabel('Last name 5'),
  }),
  mailboxes({
    ...{ name: 'mailboxes, generate 3', state: 'open' },
    steps: async (page) => {
      await chooseNames(page)
      await button(page, 'Next').click()
    },
    ready: (page) => page.getByRole('textbox', { name: 'Signature' }),
  }),
]
