/** Mailboxes: addresses with their own mail, made one by one or in bulk. */
import { z } from 'zod'
import { MAILBOX_WAIT_DAYS } from './deletions.ts'
import * as fields from './fields.ts'
import { route } from './route.ts'

export const mailboxStatus = z.enum(['inactive', 'active', 'suspended'])

export const mailbox = z.object({
  _id: fields.id,
  firstName: z.string(),
  lastName: z.string(),
  fullName: z.string(),
  email: z.string(),
  domain: z.string(),
  signature: z.string(),
  status: mailboxStatus.describe(
    'inactive: not paid; suspended: receives mail, but its holder cannot sign in.',
  ),
  isOverdue: z
    .boolean()
    .optional()
    .describe('Suspended because its invoice is not paid: the payment resumes it. Absent: not so.'),
  endsAt: z.iso
    .datetime()
    .optional()
    .describe('When a deleted mailbox ends, which only `readable` lists; absent: not deleted.'),
})
export type Mailbox = z.infer<typeof mailbox>

/**
 * How far the access of a mailbox is. none: nobody but its maker; link: a link waits; expired: a link ran out unused;
 * readers: people were given it and nobody signs in with its address; holder: its holder signs in.
 */
export const accessState = z.enum(['none', 'link', 'expired', 'readers', 'holder'])

export const listedMailbox = mailbox.extend({
  access: z.object({
    state: accessState,
    name: z
      .string()
      .describe("The holder, else the first person that it was given to; '' without."),
    readers: z.number().int().describe('Readers beside the holder and the maker.'),
    lastLoginAt: z.iso.datetime().nullable(),
    linkMailedTo: z
      .string()
      .nullable()
      .describe('Where the link that waits was mailed; for callers who may make one.'),
  }),
  usedBytes: z.number().int().describe('Of its mail.'),
})
export type ListedMailbox = z.infer<typeof listedMailbox>

/** What the list can be sorted by; '-' before it: descending. Mailboxes that nobody signed in to come first, and last in `-login`. */
export const mailboxSort = z.enum(['size', '-size', 'login', '-login'])
export type MailboxSort = z.infer<typeof mailboxSort>

export const mailboxCan = {
  receive: (m: Pick<Mailbox, 'status'>) => m.status !== 'inactive',
  send: (m: Pick<Mailbox, 'status'>) => m.status === 'active',
}

/** Where the limit comes from, and who can raise it. */
export const limitSentence = (limit: number): string =>
  `It may have ${limit}: the operator of this installation sets this limit and can raise it`

export const EMAIL_OUTSIDE_DOMAIN = 'The address must end in the domain of the mailbox'

/** The create and edit dialog. */
export const mailboxForm = z.strictObject({
  firstName: fields.mailboxFirstName,
  lastName: fields.mailboxLastName,
  email: fields.mailboxEmail,
  domain: fields.mailboxDomain,
  signature: fields.signature.optional(),
})

export const generatedName = z
  .strictObject({
    firstName: fields.generatedFirstName,
    lastName: fields.generatedLastName,
  })
  .refine(({ firstName, lastName }) => localPartFor(firstName, lastName) !== '', {
    path: ['firstName'],
    message:
      'An address needs letters from a to z or digits: please write this name in Latin letters',
  })

/** Every mailbox gets the same values. */
const MAX_SIGNATURES_LENGTH = 10_000_000
const LARGE_FOR_SO_MANY = 'The signature is too large for so many mailboxes at once'

/** Makes `names` x `domains` mailboxes; `count` is the number of names. */
export const generateForm = z
  .strictObject({
    domains: z
      .array(fields.mailboxDomain, 'At least one domain must be selected')
      .min(1, 'At least one domain must be selected')
      .max(200, 'At most 200 domains at once'),
    count: z
      .int('At least one mailbox must be generated')
      .min(1, 'At least one mailbox must be generated')
      .max(fields.MAX_GENERATED_PER_DOMAIN, `At most ${fields.MAX_GENERATED_PER_DOMAIN} mailboxes`),
    names: z
      .array(generatedName, 'At least one name must be selected')
      .min(1, 'At least one name must be selected')
      .max(fields.MAX_GENERATED_PER_DOMAIN),
    signature: fields.signature.optional(),
  })
  .superRefine((form, context) => {
    if (form.names.length !== form.count)
      context.addIssue({
        code: 'custom',
        path: ['names'],
        message: `You must provide ${form.count} name(s)`,
      })
    const mailboxes = form.domains.length * form.names.length
    if (mailboxes * (form.signature?.length ?? 0) > MAX_SIGNATURES_LENGTH)
      context.addIssue({ code: 'custom', path: ['signature'], message: LARGE_FOR_SO_MANY })
  })

/** Letters that Unicode does not decompose into a letter a to z and a mark. */
const foldedLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ŋ: 'ng',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
}

/** firstname.lastname, lower case, folded to ASCII; a hyphen within a name stays. Empty when nothing is left of the names. */
export const localPartFor = (firstName: string, lastName: string): string => {
  const fold = (name: string) =>
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9-]/g, (letter) => foldedLetters[letter] ?? '')
      .replace(/-+/g, '-')
      .replace(/^-|-$/g, '')
  return [fold(firstName), fold(lastName)]
    .filter(Boolean)
    .join('.')
    .slice(0, 60)
    .replace(/[.-]$/, '')
}

const mailboxId = z.object({ id: z.string() })

const narrowing = {
  q: fields
    .line(200)
    .optional()
    .describe('Words that each stand in the address, the name or the state.'),
  domain: fields.line(255).optional(),
  status: mailboxStatus.optional(),
  readable: z
    .enum(['true', 'false'])
    .optional()
    .describe('Only mailboxes whose mail the caller may read.'),
  access: accessState.optional(),
  id: fields
    .line(100)
    .optional()
    .describe('Only this one: what a page needs that opens a mailbox of a long list.'),
}

export const listMailboxes = route({
  name: 'listMailboxes',
  method: 'GET',
  path: '/mailboxes',
  summary: 'The mailboxes of the workspace, newest first unless sorted',
  access: 'open-mailboxes',
  reads: ['mailboxes'],
  query: z.strictObject({ ...fields.page, ...narrowing, sort: mailboxSort.optional() }),
  output: z.object({ items: z.array(listedMailbox), nextCursor: z.string().nullable() }),
  errors: [],
})

export const countMailboxes = route({
  name: 'countMailboxes',
  method: 'GET',
  path: '/mailboxes/count',
  summary: 'How many mailboxes the list has, narrowed as it is',
  access: 'open-mailboxes',
  reads: ['mailboxes'],
  query: z.strictObject(narrowing),
  output: fields.counted,
  errors: [],
})

export const getMailbox = route({
  name: 'getMailbox',
  method: 'GET',
  path: '/mailboxes/{id}',
  summary: 'One mailbox',
  access: 'see-mailboxes',
  reads: ['mailboxes'],
  params: mailboxId,
  output: mailbox,
  errors: ['NOT_EXISTS'],
})

export const createMailbox = route({
  name: 'createMailbox',
  method: 'POST',
  path: '/mailboxes',
  summary: 'Create a mailbox under an active domain',
  description:
    'The domain must be active. Where mailboxes cost something the new one is `inactive` until it is paid for with `pay`; elsewhere it is active at once.',
  access: 'manage-mailboxes',
  changes: ['mailboxes'],
  body: mailboxForm,
  output: mailbox,
  errors: ['DOMAIN_NOT_ACTIVE', 'MAILBOX_EXISTS', 'ADDRESS_TAKEN', 'MAILBOX_LIMIT'],
  status: 201,
  bodyLimitBytes: 2_000_000,
})

export const generateMailboxes = route({
  name: 'generateMailboxes',
  method: 'POST',
  path: '/mailboxes/generate',
  summary: 'Create names x domains, all or none; a taken address gets a number',
  description:
    'For tests and for addresses that several domains share. `importMailboxes` makes mailboxes from a table of people.',
  access: 'manage-mailboxes',
  changes: ['mailboxes'],
  body: generateForm,
  output: z.array(mailbox),
  errors: ['DOMAIN_NOT_ACTIVE', 'MAILBOX_LIMIT'],
  status: 201,
  bodyLimitBytes: 2_000_000,
})

export const editMailbox = route({
  name: 'editMailbox',
  method: 'PATCH',
  path: '/mailboxes/{id}',
  summary: 'Change a mailbox; its address is fixed once it has mail',
  access: 'manage-mailboxes',
  changes: ['mailboxes', 'settings'],
  params: mailboxId,
  body: mailboxForm.partial().extend({ status: mailboxStatus.optional() }),
  output: mailbox,
  errors: [
    'NOT_EXISTS',
    'MAILBOX_EXISTS',
    'ADDRESS_TAKEN',
    'MAILBOX_LIMIT',
    'DOMAIN_NOT_ACTIVE',
    'ADDRESS_FIXED',
    'STATUS_NOT_ALLOWED',
  ],
  bodyLimitBytes: 2_000_000,
})

export const deleteMailbox = route({
  name: 'deleteMailbox',
  method: 'DELETE',
  path: '/mailboxes/{id}',
  summary: `Delete a mailbox with its mail; one that has been used can be restored for ${MAILBOX_WAIT_DAYS} days`,
  access: 'manage-mailboxes',
  changes: ['mailboxes'],
  params: mailboxId,
  output: fields.confirmation,
  errors: ['NOT_EXISTS', 'STATUS_NOT_ALLOWED'],
})
