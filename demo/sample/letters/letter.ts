/** The format of the sample mail. */
import type { FolderRole } from '#contract/messages.ts'
import type { WrittenAttachment } from '#server/standards/message-writer.ts'
import { OWN_DOMAIN, SHOP_DOMAIN } from '../domain-plan.ts'

export type Person = { name: string; address: string }

type Common = {
  /** The sample mailbox that contains the letter. */
  mailbox: string
  /**
   * `day`: days before today; `time`: the time of that day in UTC. Letters of today keep their order between midnight and now.
   */
  day: number
  time: string
  subject: string
  text: string
  html?: string
  attachments?: WrittenAttachment[]
  /** For answers by later letters. */
  key?: string
  /** The `key` of an earlier letter in the same mailbox. */
  answers?: string
  isStarred?: boolean
  /** The folder that a reader moved it to. */
  folder?: FolderRole
}

export type Incoming = Common & { from: Person; cc?: Person[]; isRead?: boolean }
/** Written by the owner of the mailbox to people outside. */
export type Outgoing = Common & { to: string[]; cc?: string[]; isDraft?: boolean }
export type Letter = Incoming | Outgoing

export const isIncoming = (letter: Letter): letter is Incoming => 'from' in letter

export const NORA = `nora@${OWN_DOMAIN}`
export const FRONT_DESK = `hello@${OWN_DOMAIN}`
export const SUPPORT = `support@${OWN_DOMAIN}`
export const ORDERS = `orders@${SHOP_DOMAIN}`

export const MARA: Person = { name: 'Mara Quill', address: 'mara@harbourlight.example' }
export const TOMAS: Person = { name: 'Tomás Reyes', address: 'tomas@harbourlight.example' }
export const CHIDI: Person = { name: 'Chidi Okafor', address: 'chidi@okafor-architects.example' }
export const ELIN: Person = { name: 'Elin Sandberg', address: 'elin@postbox.example' }
export const JONAS: Person = { name: 'Jonas Weil', address: 'jonas.weil@postbox.example' }
export const AGNES: Person = { name: 'Agnes Thorn', address: 'agnes.thorn@postbox.example' }
export const PAPERPLANE: Person = { name: 'Paperplane', address: 'billing@paperplane.example' }
export const TIDE_TABLE: Person = { name: 'The Tide Table', address: 'news@tidepool-press.example' }
export const SKYLARK: Person = {
  name: 'Skylark Travel',
  address: 'no-reply@skylark-travel.example',
}

export const full = ({ name, address }: Person): string => `${name} <${address}>`
