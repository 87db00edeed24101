/** Three mistakes that people make, each mended by doing what the sentence on the page says, and nothing else. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../specification/setting.ts'
import {
  addDomain,
  anEditor,
  continueButton,
  copyRecord,
  type Editor,
  type Entry,
  heading,
  rowOf,
  statusOf,
  verifyButton,
} from './dns-editor.ts'

const DOMAIN = 'mistaken.example'

/** What a sentence on the mend asks for, done to the letter: nothing is known here of what went wrong. */
const mends: [RegExp, (editor: Editor, shown: Entry, found: string[], words: string[]) => void][] =
  [
    [
      /^Change its host to (\S+), without the domain/,
      ({ entries }, { values }, _found, [host = '']) => {
        for (const entry of entries) if (entry.values[0] === values[0]) entry.host = host
      },
    ],
    [
      /^Replace them all by one TXT record at \S+ \(host (\S+)\) with the value shown/,
      ({ entries }, { values }, found, [host = '']) => {
        const kept = entries.filter((entry) => !found.includes(entry.values[0] ?? ''))
        entries.splice(0, entries.length, ...kept, { type: 'TXT', host, values })
      },
    ],
    [
      /^Enter the value at \S+ \(host (\S+)\) again; where .* enter the strings shown one after the other/,
      ({ entries }, { values: [quoted = ''] }, _found, [host = '']) => {
        const strings = [...quoted.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text)
        for (const entry of entries) if (entry.host === host) entry.values = strings
      },
    ],
  ]

const mend = async (editor: Editor, row: Locator, advice: Locator): Promise<void> => {
  const found = await advice.getByRole('listitem').allInnerTexts()
  const sentences = await advice.getByRole('paragraph').allInnerTexts()
  for (const [sentence, act] of mends)
    for (const text of sentences) {
      const words = sentence.exec(text)
      if (words === null) continue
      act(editor, await copyRecord(row), found, words.slice(1))
      return editor.save()
    }
  throw new Error(`nothing can be done after reading: ${sentences.join(' / ')}`)
}

/** The row below that of the record. */
const adviceOf = (page: Page, what: string): Locator =>
  page
    .getByRole('row')
    .filter({ hasText: what })
    .filter({ hasNot: page.getByLabel('Copy value') })

test('a doubled host, two SPF records and a key that was cut off are mended by what the page says', async ({
  setting,
  person: { page },
}) => {
  setting.product.dns.zone(DOMAIN)
  setting.product.dns.set('_spf.google.com', 'TXT', ['v=spf1 ip4:35.190.247.0/24 ~all'])
  const editor = anEditor(setting, DOMAIN)
  editor.entries.push(
    { type: 'TXT', host: '@', values: ['v=spf1 include:_spf.google.com ~all'] },
    { type: 'TXT', host: '@', values: ['google-site-verification=0123456789'] },
  )
  editor.save()
  await addDomain(page, DOMAIN)

  // Typed in full into a form that appends the domain once more.
  const ownership = rowOf(page, 'mailstead-verify=')
  const proof = await copyRecord(ownership)
  editor.entries.push({ ...proof, host: `${proof.host}.${DOMAIN}` })
  editor.save()
  await verifyButton(page).click()
  await expect(statusOf(ownership)).toHaveText('Failed')
  const doubled = adviceOf(page, `_mailstead.${DOMAIN}.${DOMAIN}`)
  await expect(doubled).toContainText('has appended the domain to the host once more')
  await mend(editor, ownership, doubled)
  await verifyButton(page).click()
  await expect(statusOf(ownership)).toHaveText('Verified')
  await expect(doubled).toHaveCount(0)
  await expect(continueButton(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Verify DNS')).toBeFocused()

  // Our record beside the present one, and a form that takes 255 characters and drops the rest.
  const [spf, dkim, dmarc] = ['v=spf1', 'v=DKIM1', 'v=DMARC1'].map((text) => rowOf(page, text))
  if (!spf || !dkim || !dmarc) throw new Error('three records')
  const key = await copyRecord(dkim)
  editor.entries.push(
    { type: 'TXT', host: '@', values: ['v=spf1 ip4:192.0.2.25 ~all'] },
    { ...key, values: [key.values[0]?.slice(0, 255) ?? ''] },
    await copyRecord(dmarc),
  )
  editor.save()
  await verifyButton(page).click()
  for (const row of [spf, dkim]) await expect(statusOf(row)).toHaveText('Failed')
  await expect(statusOf(dmarc)).toHaveText('Verified')
  const [two, cut] = [adviceOf(page, 'has 2 SPF records'), adviceOf(page, 'is cut off after 255')]
  // What is missing stands at the end of the comparison, as long as what was lost.
  const missing = (await cut.getByRole('insertion').last().innerText()).trim()
  expect(key.values[0]?.endsWith(missing) && missing.length).toBe(
    (key.values[0]?.length ?? 0) - 255,
  )
  await mend(editor, spf, two)
  await mend(editor, dkim, cut)
  await verifyButton(page).click()
  for (const row of [spf, dkim]) await expect(statusOf(row)).toHaveText('Verified')
  await expect(continueButton(page)).toBeFocused()
  expect(editor.entries.map(({ values }) => values[0])).toContain(
    'google-site-verification=0123456789',
  )
})
