/** Decides for which recipients mail is accepted, from other servers and from here. No accepted mail is bounced later. */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { findRecipient, type Recipient } from '#server/features/mailboxes/find-recipient.ts'
import { hasAmpleRoom } from '#server/features/messages/check-room.ts'
import { readersOfRole } from './forward-to-role.ts'

export type TakenRecipient =
  | { kind: 'mailbox'; mailboxId: string; workspaceId: string; email: string }
  | { kind: 'role'; workspaceId: string | null; address: string }

/** Reply code with RFC 3463 code, and what the sender reads. */
export type Refusal = { code: string; text: string }

export const refusals = {
  foreign: { code: '550 5.7.1', text: 'We do not relay for this domain' },
  unknown: { code: '550 5.1.1', text: 'No such mailbox here' },
  unread: { code: '450 4.2.1', text: 'This address has no reader yet; try again later' },
  full: { code: '452 4.2.2', text: 'The storage of this mailbox is full' },
} satisfies Record<string, Refusal>

export type RefusedRecipient = { kind: 'refused'; why: keyof typeof refusals }

export type FindRecipient = (app: App, address: string) => Promise<Recipient>

/** `sizeBytes`: of the message, as far as it is known. */
export const takeRecipient = async (
  app: App,
  address: string,
  sizeBytes: number,
  find: FindRecipient = findRecipient,
): Promise<TakenRecipient | RefusedRecipient> => {
  const recipient = await find(app, address)
  switch (recipient.kind) {
    case 'mailbox':
      return (await hasRoom(app, recipient, sizeBytes)) ? recipient : refused('full')
    case 'role': {
      const readers = await readersOfRole(app, recipient.workspaceId)
      if (readers.length === 0) return refused('unread')
      return { ...recipient, address: address.includes('@') ? address : operatorAddress(app) }
    }
    case 'unknown':
    case 'foreign':
      return refused(recipient.kind)
  }
}

const refused = (why: RefusedRecipient['why']): RefusedRecipient => ({ kind: 'refused', why })

/** <postmaster> alone. */
const operatorAddress = (app: App): string => `postmaster@${app.config.mailHost}`

const hasRoom = async (
  app: App,
  mailbox: { workspaceId: string; mailboxId: string },
  sizeBytes: number,
): Promise<boolean> => {
  try {
    await hasAmpleRoom(app, mailbox, sizeBytes)
    return true
  } catch (error) {
    if (error instanceof AppError && error.type === 'STORAGE_FULL') return false
    throw error
  }
}
