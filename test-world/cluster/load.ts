/** The load of a cluster, from the first sign-in on: mail comes and goes, and its holder reads. */
import type { Mailbox } from '#contract/mailboxes.ts'
import { type Account, aMailboxAt, anAccount, anActiveDomain } from '../trials/account.ts'
import { type BrowserSession, signIn } from './browser-session.ts'
import type { Cluster } from './cluster.ts'
import { aMailProgram, anotherServer, aReader, aWriter, type Sent } from './people.ts'
import { aPerson, type Person } from './services.ts'

const SESSIONS = 4

export type Load = {
  account: Account
  mailbox: Mailbox
  /** Of the sessions of the start. */
  sessions: BrowserSession[]
  people: Person[]
  sent: Sent[]
  /** The addresses of the letters that were accepted. */
  accepted: string[]
  faults: string[]
  /** Whether each of them got what they asked for after this time (performance.now). */
  areServed(since: number): boolean
  /** All finish what they are at, and go. */
  leave(): Promise<void>
}

export const arrive = async (cluster: Cluster, seed: number): Promise<Load> => {
  const { url, address } = cluster
  const account = await anAccount(cluster, 'ada@elsewhere.example')
  const domain = await anActiveDomain(cluster, account, 'harbour.example')
  const mailbox = await aMailboxAt(account, domain, 'ada')
  const made = { name: 'Phone', scopes: ['imap'] }
  const { password } = await account.ask('POST', `/mailboxes/${mailbox._id}/app-passwords`, made)
  const [sent, accepted, faults]: [Sent[], string[], string[]] = [[], [], []]
  const sessions: BrowserSession[] = []
  while (sessions.length < SESSIONS)
    sessions.push(await signIn({ url, email: account.email, faults }))
  const browser = { url, mailbox, sessions, faults }
  let isOver = false
  const once = (person: Person['service'], attempt: () => Promise<void>) =>
    aPerson(person, attempt, () => isOver)
  const server = (n: number) =>
    anotherServer(address, mailbox.email, { sent, seed: seed * 2 + n, faults })
  const people = [
    ...[0, 1].map((n) => once('SMTP accepts', server(n))),
    ...[0, 1].map(() => once('web reads', aReader(browser))),
    ...[0, 1].map(() => once('IMAP reads', aMailProgram(address, mailbox.email, password))),
    once('web sends', aWriter(browser, accepted)),
  ]
  return {
    ...{ account, mailbox, sessions, people, sent, accepted, faults },
    areServed: (since) => people.every(({ times }) => (times.at(-1) ?? 0) > since),
    leave: async () => {
      isOver = true
      await Promise.all(people.map(({ gone }) => gone))
    },
  }
}
