/** Sends mails that attack their parser to the running product, and measures their cost and whether they can be read. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Product } from '../product.ts'
import { onTheWire, sendMail } from '../smtp/smtp-client.ts'
import type { Account } from './account.ts'
import { hostileMails } from './hostile-mails.ts'

/** Processor time for receiving one mail and for opening it: elapsed time would include other work of the machine. */
const MOST_MS = 1_000
const MOST_MB = 64
/** The first mails mostly pay for loading modules. */
const WARM_UP = 6
const TICK_MS = 10

type Cost = { answeredMs: number; openedMs: number; workMs: number; memoryMb: number }
export type HostileTrial = {
  mails: ({ name: string; isStored: boolean } & Cost)[]
  /** The longest of the HTTP calls that were made during the trial. */
  webDoorMs: number
  /** One sentence per fault; empty when all is well. */
  faults: string[]
}

export const tryHostileMails = async (
  product: Product,
  account: Account,
  mailbox: Mailbox,
): Promise<HostileTrial> => {
  for (let n = 0; n < WARM_UP; n++) {
    // Large messages are parsed on other threads.
    const raw = `Subject: ${n}\r\n\r\n${'Hello\r\n'.repeat(n % 2 === 0 ? 1 : 50_000)}`
    await sendMail(product.smtpPort, { to: mailbox.email, raw })
  }
  await readAll(account, mailbox, await idsIn(account, mailbox))
  const trial: HostileTrial = { mails: [], webDoorMs: 0, faults: [] }
  const known = await idsIn(account, mailbox)
  const callers = callAllTheWhile(product.url)
  for (const { name, raw } of hostileMails) {
    const { said, stored, ...cost } = await costOf(product, account, mailbox, raw, known)
    trial.mails.push({ name, isStored: stored.length > 0, ...cost })
    trial.faults.push(...faultsOf(said, stored, raw, cost).map((fault) => `'${name}' ${fault}`))
  }
  trial.webDoorMs = await callers.end()
  return trial
}

const costOf = async (
  { pid, smtpPort }: Product,
  account: Account,
  mailbox: Mailbox,
  raw: Buffer,
  known: Set<string>,
) => {
  forgetPeak(pid)
  const [memoryBefore, workBefore, startedAt] = [mb(pid, 'VmRSS'), workOf(pid), performance.now()]
  const said = await sendMail(smtpPort, { to: mailbox.email, raw })
  const answeredAt = performance.now()
  const fresh = [...(await idsIn(account, mailbox))].filter((id) => !known.has(id))
  for (const id of fresh) known.add(id)
  const openedAt = performance.now()
  const stored = await readAll(account, mailbox, fresh)
  return {
    ...{ said, stored, answeredMs: answeredAt - startedAt, openedMs: performance.now() - openedAt },
    ...{ workMs: workOf(pid) - workBefore, memoryMb: mb(pid, 'VmHWM') - memoryBefore },
  }
}

const faultsOf = (said: string, stored: Buffer[], raw: Buffer, cost: Cost): string[] => {
  const faults: string[] = []
  const isTaken = said.startsWith('250 ')
  if (!isTaken && !/^55\d 5\.\d\.\d /.test(said)) faults.push(`was answered ${said}`)
  if (stored.length !== (isTaken ? 1 : 0)) faults.push(`is there ${stored.length} times`)
  const sent = onTheWire(raw)
    .toString('latin1')
    .slice(0, -3)
    .replace(/(^|\r\n)\.\./g, '$1.')
  if (stored.some((kept) => !kept.toString('latin1').endsWith(sent)))
    faults.push('is not as it was sent')
  if (cost.workMs > MOST_MS) faults.push(`took ${Math.round(cost.workMs)} ms of work`)
  if (cost.memoryMb > MOST_MB) faults.push(`took ${Math.round(cost.memoryMb)} MB`)
  return faults
}

const idsIn = async (account: Account, mailbox: Mailbox): Promise<Set<string>> => {
  const ids = new Set<string>()
  for (const folder of ['inbox', 'junk']) {
    const path = `/mailboxes/${mailbox._id}/messages?folder=${folder}&limit=200`
    const { items } = await account.ask('GET', path)
    for (const { _id } of items as { _id: string }[]) ids.add(_id)
  }
  return ids
}

/** Opens each like a reader. @returns the raw bytes of each */
const readAll = async (
  account: Account,
  mailbox: Mailbox,
  ids: Iterable<string>,
): Promise<Buffer[]> => {
  const raws: Buffer[] = []
  for (const id of ids) {
    await account.ask('GET', `/mailboxes/${mailbox._id}/messages/${id}`)
    raws.push(await account.bytes(`/mailboxes/${mailbox._id}/messages/${id}/raw`))
  }
  return raws
}

const callAllTheWhile = (url: string): { end(): Promise<number> } => {
  let isOver = false
  const calls = (async () => {
    let longest = 0
    while (!isOver) {
      const startedAt = performance.now()
      await (await fetch(`${url}/healthz`)).arrayBuffer()
      longest = Math.max(longest, performance.now() - startedAt)
      await new Promise((resolve) => setTimeout(resolve, TICK_MS))
    }
    return longest
  })()
  return {
    end: () => {
      isOver = true
      return calls
    },
  }
}

/** Resets the kernel's memory peak. */
const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

const mb = (pid: number, what: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
}

/** Milliseconds of processor time of all threads. The kernel counts in hundredths of a second. */
const workOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
