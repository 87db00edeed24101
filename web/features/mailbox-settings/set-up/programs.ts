/**
 * The mail programs that we describe, with the steps in each. In a step, *words* are what the program shows, and `words` are typed
 * as they stand. The first step, the app password, is the same for all and stands on the page.
 */
import type { MailServer } from '#contract/installation.ts'

export type Account = { email: string; server: MailServer }

export type Program = {
  title: string
  /** Name of the app password that is made for it. */
  device: string
  isOnPhone: boolean
  /** Installs our profile, so that nothing has to be typed but the password. */
  takesProfile?: true
  steps: (account: Account) => string[]
}

const incoming = ({ server, email }: Account) =>
  `Incoming server: \`${server.host}\`, port \`${server.imapsPort}\`, security *SSL/TLS*, user name \`${email}\`.`
const outgoing = ({ server, email }: Account) =>
  `Outgoing server: \`${server.host}\`, port \`${server.submissionsPort}\`, security *SSL/TLS*, user name \`${email}\`, and the same password.`

const finds = (account: Account): string =>
  `It looks the settings up by the address. If it finds none, choose to configure by hand: \`${account.server.host}\`, port \`${account.server.imapsPort}\` for incoming and \`${account.server.submissionsPort}\` for outgoing mail, both *SSL/TLS*, user name \`${account.email}\`.`

export const programs = {
  iphone: {
    ...{ title: 'iPhone and iPad', device: 'iPhone or iPad' },
    ...{ isOnPhone: true, takesProfile: true },
    steps: ({ email }) => [
      'Open *Settings* and tap *Profile Downloaded* near the top, then *Install*. It says *Verified*, or *Not Signed* where the server has made its certificate itself.',
      `When it asks for the password of \`${email}\`, paste the app password.`,
      'Open *Mail*. The first mails come within a minute.',
    ],
  },
  mac: {
    ...{ title: 'Mac Mail', device: 'Mac' },
    ...{ isOnPhone: false, takesProfile: true },
    steps: ({ email }) => [
      'Open *System Settings*, *General*, *Device Management*, double-click the profile and choose *Install*. Before macOS 15 it is under *Privacy & Security*, *Profiles*.',
      `When it asks for the password of \`${email}\`, paste the app password.`,
      'Open *Mail*.',
    ],
  },
  gmail: {
    ...{ title: 'Gmail app for Android', device: 'Gmail app', isOnPhone: true },
    steps: (account) => [
      'Open Gmail, tap your picture at the top right, *Add another account*, *Other*.',
      `Type \`${account.email}\`, tap *Manual setup*, then *Personal (IMAP)*.`,
      'Paste the app password and tap *Next*.',
      incoming(account),
      outgoing(account),
    ],
  },
  outlook: {
    ...{ title: 'Outlook, new', device: 'Outlook', isOnPhone: false },
    steps: (account) => [
      `In *Settings*, *Accounts*, *Add account*, type \`${account.email}\` and choose *Continue*. If it asks for a provider, choose *IMAP*.`,
      'Paste the app password, then open *Show more*.',
      incoming(account),
      outgoing(account),
      'Choose *Continue*. Outlook fetches the mail through servers of Microsoft, so these stand in the list of what used the password.',
    ],
  },
  'outlook-classic': {
    ...{ title: 'Outlook, classic', device: 'Outlook', isOnPhone: false },
    steps: (account) => [
      `In *File*, *Add Account*, type \`${account.email}\`, open *Advanced options*, tick *Let me set up my account manually*, and choose *Connect*, *IMAP*.`,
      incoming(account),
      outgoing(account),
      'Choose *Next*, paste the app password, and choose *Connect*.',
    ],
  },
  'outlook-mobile': {
    ...{ title: 'Outlook for phones', device: 'Outlook on the phone', isOnPhone: true },
    steps: (account) => [
      `Tap your picture, the gear, *Add account*, *Add email account*, and type \`${account.email}\`. Choose *IMAP*.`,
      'Paste the app password, and turn *Use advanced settings* on.',
      incoming(account),
      outgoing(account),
      'Tap *Sign in*. Outlook fetches the mail through servers of Microsoft, so these stand in the list of what used the password.',
    ],
  },
  thunderbird: {
    ...{ title: 'Thunderbird', device: 'Thunderbird', isOnPhone: false },
    steps: (account) => [
      `In the menu choose *New Account*, *Email*, and type your name and \`${account.email}\`.`,
      finds(account),
      'Paste the app password and choose *Continue*, then *Done*.',
    ],
  },
  'thunderbird-android': {
    ...{ title: 'Thunderbird or K-9 for Android', device: 'Thunderbird on the phone' },
    isOnPhone: true,
    steps: (account) => [
      `Open the menu, *Settings*, *Add account*, and type \`${account.email}\`.`,
      finds(account),
      'Paste the app password and tap *Next* until it says *Finish*.',
    ],
  },
  samsung: {
    ...{ title: 'Samsung Email', device: 'Samsung Email', isOnPhone: true },
    steps: (account) => [
      'Open the menu, the gear, *Add account*, *Other*.',
      `Type \`${account.email}\`, paste the app password, and tap *Manual setup*, *IMAP account*.`,
      incoming(account),
      outgoing(account),
      'Tap *Sign in*.',
    ],
  },
  fairemail: {
    ...{ title: 'FairEmail', device: 'FairEmail', isOnPhone: true },
    steps: (account) => [
      'In *Settings*, *Wizard*, choose *Other provider*.',
      `Type your name and \`${account.email}\`, paste the app password, and tap *Check*.`,
      finds(account),
      'Tap *Save*.',
    ],
  },
  'em-client': {
    ...{ title: 'eM Client', device: 'eM Client', isOnPhone: false },
    steps: (account) => [
      `In *Menu*, *Accounts*, *Add account*, type \`${account.email}\` and choose *Start now*.`,
      finds(account),
      'Paste the app password, choose *Continue*, then *Finish*.',
    ],
  },
  other: {
    ...{ title: 'Another program', device: 'Mail program', isOnPhone: false },
    steps: (account) => [
      `Add an account of the kind *IMAP* for \`${account.email}\`.`,
      incoming(account),
      outgoing(account),
      'Where it asks for a password, paste the app password. Choose the plain kind of sign-in, often called *Normal password*.',
    ],
  },
} satisfies Record<string, Program>

export type ProgramId = keyof typeof programs
export const programIds = Object.keys(programs) as ProgramId[]

export const isProgram = (id: string | null): id is ProgramId =>
  id !== null && Object.hasOwn(programs, id)

/** The program that most people have where this browser runs. */
export const likelyProgram = (userAgent: string): ProgramId => {
  if (/iPhone|iPad/.test(userAgent)) return 'iphone'
  if (/SamsungBrowser/.test(userAgent)) return 'samsung'
  if (/Android/.test(userAgent)) return 'gmail'
  if (/Macintosh/.test(userAgent)) return 'mac'
  return /Windows/.test(userAgent) ? 'outlook' : 'thunderbird'
}
