/** What pages tell of this installation: facts that they need before sign-in, and what its operators announce. */
import { z } from 'zod'
import { price } from './billing.ts'
import * as fields from './fields.ts'
import { INSTALLATION_PATH, route } from './route.ts'

export const trialSetting = z.enum(['PUBLIC_URL', 'MAIL_HOST', 'MAIL_IPS'])
export type TrialSetting = z.infer<typeof trialSetting>

/** 'PUBLIC_URL, MAIL_HOST and MAIL_IPS'. */
export const settingsList = (settings: readonly TrialSetting[]): string =>
  [settings.slice(0, -1).join(', '), ...settings.slice(-1)].filter(Boolean).join(' and ')

/** Why a trial shows no records, and what its operator does. */
export const trialSentence = (settings: readonly TrialSetting[]): string =>
  `This installation is a trial: other mail servers cannot reach it under its names. So it shows no DNS records to publish, since they would lead mail nowhere. Its operator sets ${settingsList(settings)} to public values and starts it again.`

/** What mail programs are set up with. TLS from the first byte at the ports whose names have an s; STARTTLS at the others. */
export const mailServer = z.object({
  host: z
    .string()
    .describe('Its address, where PUBLIC_URL is one of this computer: no name leads there.'),
  fingerprint: z
    .string()
    .nullable()
    .describe(
      'SHA-256, such as AB:CD:…, of a certificate that the server made itself; null: programs know who signed it.',
    ),
  imapsPort: z.int(),
  imapPort: z.int(),
  submissionsPort: z.int(),
  submissionPort: z.int(),
})
export type MailServer = z.infer<typeof mailServer>

export const installation = z.object({
  billing: z.enum(['off', 'invoice', 'stripe']),
  price: price.nullable().describe('null: mailboxes cost nothing.'),
  mailboxLimit: z
    .int()
    .describe('How many mailboxes a domain may have that has no limit of its own.'),
  signUp: z.enum(['open', 'invite', 'closed']),
  termsUrl: z
    .string()
    .nullable()
    .describe("URL of the operator's terms; null: our own page is shown."),
  privacyUrl: z
    .string()
    .nullable()
    .describe("URL of the operator's privacy policy; null: our own page is shown."),
  operatorName: z.string().nullable(),
  operatorContact: z.string().describe('An e-mail address, or a web address.'),
  google: z.boolean(),
  googleIsGoogle: z
    .boolean()
    .describe('The issuer is Google: its return page must have code, scope, authuser and prompt.'),
  trial: z
    .array(trialSetting)
    .describe('The settings that name no public place; empty: others can reach this installation.'),
  hidesRecords: z
    .boolean()
    .describe(
      'In a trial: the records of domains answer TRIAL. Not where the operator has a DNS of their own.',
    ),
  keepsSystemMail: z
    .boolean()
    .describe(
      'Verification mails are not sent: they wait on the page /dev/outbox, and their links are in the terminal.',
    ),
  mailServer,
  sandboxDns: z.boolean().describe('true in the demo: the page Sandbox DNS edits its DNS.'),
})
export type Installation = z.infer<typeof installation>

export const getInstallation = route({
  name: 'getInstallation',
  method: 'GET',
  path: INSTALLATION_PATH,
  summary: 'Public settings of this installation',
  access: 'anyone',
  reads: ['installation'],
  output: installation,
  errors: [],
})

export const getInstallationFaults = route({
  name: 'getInstallationFaults',
  method: 'GET',
  path: '/installation/faults',
  summary:
    'What keeps this installation from real mail, in sentences for an Admin to pass on; looked at once an hour',
  access: 'manage-company',
  reads: ['installation'],
  output: z.object({ faults: z.array(z.string()) }),
  errors: [],
})

export const announcement = z.object({
  _id: fields.id,
  text: z.string(),
  link: z.string().describe("https; '' without one."),
  endsAt: z.iso.datetime().nullable().describe('null: until an operator ends it.'),
})
export type Announcement = z.infer<typeof announcement>

export const listAnnouncements = route({
  name: 'listAnnouncements',
  method: 'GET',
  path: '/announcements',
  summary: 'What operators tell this person now and they have not dismissed, newest first',
  access: 'any-session',
  reads: ['announcements'],
  output: z.array(announcement),
  errors: [],
})

export const dismissAnnouncement = route({
  name: 'dismissAnnouncement',
  method: 'POST',
  path: '/announcements/{id}/dismiss',
  summary: 'Show it to this person no more, on no device',
  access: 'any-session',
  changes: ['announcements'],
  params: z.object({ id: z.string() }),
  output: z.array(announcement),
  errors: ['NOT_EXISTS'],
})
