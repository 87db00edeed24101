/** Keeps when, from where and with which program a mailbox was last signed in to. */
import { isIPv6 } from 'node:net'
import type { App } from '#server/app.ts'
import { networksOf } from '#server/features/limits/throttle.ts'
import { HOUR_MS } from '#server/lib/clock.ts'
import { oneLine } from '#server/lib/plain-text.ts'
import { deleteOldUses, writeProgram, writeUse } from './program-uses-store.ts'
import type { SignIn } from './sign-in.ts'

const AGAIN_MS = 60_000
const STAY_MS = HOUR_MS

/**
 * Written once a minute for each password, network and scope at most.
 * The first use from a network is marked, and a loop mails the person.
 */
export const noteUse = async (app: App, signIn: SignIn): Promise<void> => {
  const { mailboxId, appPasswordId, scope } = signIn
  const { userId, ip } = signIn.who
  const caller = { ip, network: placeOf(ip), email: signIn.email }
  const event = { ...caller, userId, mailboxId, appPasswordId, scope }
  app.logEvent('program-signed-in', event)
  if (await writeUnlessFresh(app, signIn, AGAIN_MS)) app.logEvent('program-network-new', event)
}

/** For a connection that stays for days, as that of a phone does: its password is still used, to the hour. */
export const noteStay = async (app: App, signIn: SignIn): Promise<void> => {
  await writeUnlessFresh(app, signIn, STAY_MS)
}

/** @returns whether it is the first use from this network */
const writeUnlessFresh = async (app: App, signIn: SignIn, freshMs: number): Promise<boolean> => {
  const { who, mailboxId, workspaceId, appPasswordId, scope } = signIn
  const { userId, ip } = who
  const network = placeOf(ip)
  const now = app.clock.now()
  const key = [mailboxId, appPasswordId ?? userId, network, scope].join(' ')
  if (now.getTime() - (app.caches.programUses.get(key) ?? 0) < freshMs) return false
  app.caches.programUses.set(key, now.getTime())
  const use = { workspaceId, mailboxId, userId, appPasswordId, network, ip, scope }
  if (!(await writeUse(app.db, use, now))) return false
  await deleteOldUses(app.db, use)
  return true
}

/** A provider gives a home another address each day: the network around it is the place. */
const placeOf = (ip: string): string =>
  isIPv6(ip)
    ? (networksOf(ip).at(-1)?.network ?? ip)
    : `${ip.split('.').slice(0, 3).join('.')}.0/24`

/** RFC 2971: any text, typed by the client. */
export type ProgramId = { name?: string | null; version?: string | null; os?: string | null }

const MAX_NAME = 40
const MAX_VERSION = 20

/** 'Thunderbird 153.0 on Linux'; '' for a program that does not say its name. */
export const programName = ({ name, version, os }: ProgramId): string => {
  const [program, number, system] = [
    clean(name, MAX_NAME),
    clean(version, MAX_VERSION),
    clean(os, MAX_NAME),
  ]
  if (program === '') return ''
  return [program, number, system === '' ? '' : `on ${system}`].filter(Boolean).join(' ')
}

/** What turns the direction of writing, or is not seen, could make it look like another program. */
const clean = (text: string | null | undefined, most: number): string =>
  oneLine(
    (text ?? '')
      .slice(0, 10 * most)
      .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
      .replace(/\s+/gu, ' '),
    most,
  )

/** What the program of a sign-in says of itself. */
export const noteProgram = async (app: App, signIn: SignIn, program: ProgramId): Promise<void> => {
  const name = programName(program)
  if (name === '') return
  const { who, mailboxId, workspaceId, appPasswordId } = signIn
  const { userId, ip } = who
  const use = { workspaceId, mailboxId, userId, appPasswordId, network: placeOf(ip) }
  await writeProgram(app.db, use, name)
}
