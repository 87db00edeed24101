/**
 * What happens in the namespace of the trial: a person gives Thunderbird a name, an address and a password, reads, writes, deletes
 * and gets a new mail. The last line on standard output is the trial as JSON; `argv[2]` is the folder for the pictures.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ELSEWHERE, MAIL_HOST } from '../../../product.ts'
import type { ThunderbirdTrial } from '../thunderbird.ts'
import { anInstallation, type Customer, FOR_MX } from './installation.ts'
import { openScreen, type Screen, untilSome } from './screen.ts'

type Step = (screen: Screen, customer: Customer) => Promise<void>
type Steps = Record<string, Step>

const [, , pictures = '.'] = process.argv
const TOLD = 'example-customer.test'
const { product, root, aCustomer, close } = await anInstallation()

const append = async ({ client, email }: Customer, subject: string): Promise<void> => {
  const raw = `From: Ann <ann@${ELSEWHERE}>\r\nTo: ${email}\r\nSubject: ${subject}\r\nMessage-ID: <${subject.replaceAll(' ', '.')}@${ELSEWHERE}>\r\n\r\nWords about ${subject}.\r\n`
  await client.ok(`APPEND INBOX {${raw.length}+}\r\n${raw}`)
}

/** Waits until the server finds so many. */
const stored = async (
  { client }: Customer,
  folder: string,
  search: string,
  count = 1,
): Promise<void> => {
  await untilSome(`${count} in ${folder}: ${search}`, async () => {
    await client.ok(`SELECT ${folder}`)
    const found = /SEARCH(.*)/.exec((await client.ok(`SEARCH ${search}`)).join())?.[1] ?? ''
    return found.split(' ').filter((each) => each !== '').length === count
  })
}

/** Asks at `host`, and nobody has to correct anything. */
const findSettings =
  (host: string): Step =>
  async (screen, { email }) => {
    const before = product.dns.queries.length
    await screen.type('#realName', 'Grace Hopper')
    await screen.type('#email', email)
    await screen.click('#forward')
    await screen.see('#emailFormNotificationTitle', 'Account settings found automatically.')
    for (const [id, value] of Object.entries({
      ...{ incomingHost: MAIL_HOST, incomingPort: '993', outgoingHost: MAIL_HOST },
      ...{ outgoingPort: '465', sharedSocketType: 'SSL/TLS', sharedUsername: email },
    }))
      await screen.see(`#${id}`, value)
    if (!product.dns.queries.slice(before).some(({ name }) => name === host))
      throw new Error(`nobody asked for ${host}`)
  }

const signIn: Step = async (screen, { password }) => {
  await screen.click('#forward')
  await screen.type('#password', password)
  await screen.click('#forward')
  await screen.click('#forward', 'Finish')
  await screen.see('.name', 'Inbox')
}

const day: Steps = {
  'the settings are found': findSettings(`autoconfig.${TOLD}`),
  'it signs in': signIn,
  'the Inbox is seen, and a mail of it is read': async (screen, customer) => {
    await screen.click('.name', 'Inbox')
    for (const subject of ['Lunch on Friday', 'News']) await screen.see('tr', subject)
    await screen.click('tr', 'The plan')
    await screen.see('#expandedsubjectBox', 'The plan')
    await stored(customer, 'INBOX', 'SEEN SUBJECT "The plan"')
  },
  'a new mail comes by itself': async (screen, customer) => {
    await append(customer, 'Fresh news')
    await screen.see('tr', 'Fresh news')
  },
  'a mail is deleted': async (screen, customer) => {
    await screen.click('tr', 'Lunch on Friday')
    await screen.see('#expandedsubjectBox', 'Lunch on Friday')
    await screen.press('Delete')
    await screen.seeNoMore('tr', 'Lunch on Friday')
    await stored(customer, 'INBOX', 'SUBJECT "Lunch on Friday"', 0)
    await stored(customer, 'Trash', 'SUBJECT "Lunch on Friday"')
  },
  'a mail is sent, and kept once': async (screen, customer) => {
    const to = `ann@${ELSEWHERE}`
    await screen.click('#folderPaneWriteMessage')
    await screen.type('#toAddrInput', `${to},`)
    await screen.type('#msgSubject', 'From Thunderbird')
    await screen.type('#messageEditor', 'Written by hand')
    await screen.picture('a mail is written')
    await screen.click('#button-send')
    const { email, message } = await product.mailTo(to)
    if (email.subject !== 'From Thunderbird' || !email.text?.includes('Written by hand'))
      throw new Error(`another mail came: ${message.raw}`)
    if (email.from?.address !== customer.email || email.from.name !== 'Grace Hopper')
      throw new Error(`it came from ${JSON.stringify(email.from)}`)
    // It closes when Thunderbird has put its copy into Sent.
    await screen.seeNoMore('#button-send')
    await stored(customer, 'Sent', 'SUBJECT "From Thunderbird"')
  },
}

const byMx: Steps = {
  'the settings of a domain with an MX alone are found': findSettings(FOR_MX),
  'its mailbox is signed in to': signIn,
}

/** In a new Thunderbird. */
const take = async (steps: Steps, customer: Customer): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-thunderbird-'))
  const screen = await openScreen(root, folder, pictures)
  try {
    for (const [name, step] of Object.entries(steps)) {
      await step(screen, customer).catch((error: unknown) => {
        throw new Error(`${name}: ${error instanceof Error ? error.message : error}`)
      })
      await screen.picture(name)
      trial.steps.push(name)
    }
  } catch (error) {
    await screen.picture(`what went wrong ${trial.faults.length}`)
    trial.faults.push(error instanceof Error ? error.message : String(error))
  }
  await screen.close()
  rmSync(folder, { recursive: true, force: true })
}

const trial: ThunderbirdTrial = { steps: [], faults: [] }
const customer = await aCustomer(TOLD, true)
for (const subject of ['Lunch on Friday', 'The plan', 'News']) await append(customer, subject)
await take(day, customer)
await take(byMx, await aCustomer('mx-alone.test', false))
await close()
console.log(JSON.stringify(trial))
