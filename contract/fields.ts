/** Every field that people fill in: its limits and its messages, declared here and nowhere else. */
import { z } from 'zod'
import { programScopes } from './developers/scopes.ts'

/** The messages for a missing and an invalid value, for fields that declare none. */
export const REQUIRED = 'Required'
export const INVALID_INPUT = 'Invalid input'
z.config({
  customError: ({ input }) => (input === undefined || input === '' ? REQUIRED : INVALID_INPUT),
})

/** Controls and the Unicode line separators: never part of a single-line value. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
const lineBreaking = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/
const NO_LINE_BREAKS = 'Line breaks and control characters are not allowed'
const NO_CONTROLS = 'Control characters are not allowed'

/** One line of text, at most `max` characters. */
export const line = (max: number, tooLong = `At most ${max} characters`) =>
  z
    .string()
    .max(max, tooLong)
    .refine((value) => !lineBreaking.test(value), NO_LINE_BREAKS)

/** Text of many lines, at most `max` characters. */
export const multiline = (max: number, tooLong = `At most ${max} characters`) =>
  z
    .string()
    .max(max, tooLong)
    .refine((value) => !unprintable.test(value), NO_CONTROLS)

const requiredLine = (message: string, min = 1, max = 100) =>
  z
    .string(message)
    .trim()
    .min(min, message)
    .max(max, `At most ${max} characters`)
    .refine((value) => !lineBreaking.test(value), NO_LINE_BREAKS)

// RFC 5321 §4.1.2 dot-string; quoted local parts are not offered. Linear time: no nested repetition over the same characters.
const address =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64})*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])$/u

/** Is this text one plain address, as people type it (no display name, no quotes)? */
export const isAddress = (value: string): boolean =>
  value.length <= 254 && value.indexOf('@') <= 64 && address.test(value)

/** An address elsewhere: its local part may have letters of any script (RFC 6531) or be quoted. Linear time, as above. */
const wideLocal =
  /^(?:(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]|[^\p{ASCII}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}])+|"(?:[ !#-;=?-[\]^-~]|\\["\\])+")$/u

/** Whether mail can be sent to this address: every sender of received mail must be answerable. */
export const isRecipientAddress = (value: string): boolean => {
  if (isAddress(value)) return true
  const at = value.lastIndexOf('@')
  const local = value.slice(0, Math.max(at, 0))
  const isDotted = !/^\.|\.\.|\.$/.test(local) || local.startsWith('"')
  return (
    value.length <= 254 && isDotted && wideLocal.test(local) && isAddress(`a${value.slice(at)}`)
  )
}

/** An address as typed; it becomes lower case. */
export const emailAddress = z
  .string('Please enter your email')
  .trim()
  .toLowerCase()
  .min(1, 'Please enter your email')
  .refine(isAddress, 'Invalid email address')

export const firstName = requiredLine('First name is required')
export const lastName = requiredLine('Last name is required')

const tooLongPassword = 'Password must be at most 128 characters long'
const WEAK_PASSWORD =
  'Password must include lowercase, uppercase, number, and special character, and no spaces'

/** The password of sign-up. */
export const newPassword = z
  .string('Please enter your password')
  .min(8, 'Password must be at least 8 characters long')
  .max(50, 'Password must be at most 50 characters long')
  .refine((value) => !lineBreaking.test(value), NO_LINE_BREAKS)
  .refine(
    (value) => /^(?=.*\p{Ll})(?=.*\p{Lu})(?=.*\p{Nd})(?=.*[^\p{L}\p{N}\s])\S+$/u.test(value),
    WEAK_PASSWORD,
  )

/** The password of login and of the reset form. */
export const password = z
  .string('Please enter your password')
  .min(1, 'Please enter your password')
  .min(7, 'Password must be at least 7 characters long')
  .max(128, tooLongPassword)
  .refine((value) => !lineBreaking.test(value), NO_LINE_BREAKS)

export const confirmNewPassword = z.string('Please confirm your password').max(128, tooLongPassword)
export const confirmPassword = confirmNewPassword.min(1, 'Please confirm your password')

export const termsAccepted = z.literal(true, 'You must accept the terms and conditions')

export const DOMAIN_EXAMPLE = 'example.com'
const WRONG_DOMAIN = `Invalid domain format (example: ${DOMAIN_EXAMPLE})`
const domainForm =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])$/u

const MAX_DOMAIN = 50
/** `domainForm`, cut off anywhere. */
const domainBegun =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.)*(?:[\p{L}\p{N}][\p{L}\p{N}\p{M}-]{0,62})?$/u

/** Whether the text can still become a domain when more is typed; if not, the form says so at once. */
export const mayBecomeDomain = (typed: string): boolean => {
  const begun = typed.trim().toLowerCase()
  return begun.replace(/\.$/, '').length <= MAX_DOMAIN && domainBegun.test(begun)
}

const domain = (tooShort: string) =>
  z
    .string(tooShort)
    .trim()
    .toLowerCase()
    .overwrite((value) => (value.endsWith('.') ? value.slice(0, -1) : value))
    .min(3, tooShort)
    .max(MAX_DOMAIN, 'Domain too long')
    .regex(domainForm, WRONG_DOMAIN)

/** The domain of wizard step 1: trimmed, lower case, one trailing dot dropped. */
export const domainName = domain('Domain must be at least 3 characters')

/** The domain of a mailbox. */
export const mailboxDomain = domain('Empty domain')
export const mailboxFirstName = requiredLine('Empty first name', 2)
export const mailboxLastName = requiredLine('Empty last name', 2)
export const mailboxEmail = z
  .string('Invalid email address')
  .trim()
  .refine(isAddress, { message: 'Invalid email address', abort: true })
  .toLowerCase()

/** Generated names are longer: the specification asks for at least 5 characters. */
export const generatedFirstName = requiredLine('First name is required', 5)
export const generatedLastName = requiredLine('Last name is required', 5)

/** A whole message as it is sent, with its files. */
export const MAX_MESSAGE_BYTES = 25_000_000
/** As base64 they grow by a third, and the signature holds its text too. */
export const MAX_SIGNATURE_IMAGES_BYTES = 500_000

/** HTML of the signature editor, with images as data URLs; sanitised when it is shown and sent. */
export const signature = multiline(700_000, 'The signature is too large')

/** At most five mailboxes per domain in one run of Auto generate ('Max5'). */
export const MAX_GENERATED_PER_DOMAIN = 5

/** In UTC. */
export const month = line(7).regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'A month is such as 2026-11')

/** The company profile of a workspace. */
export const companyName = requiredLine('Username is required', 1, 200)
const WRONG_URL = 'Enter a valid URL'
export const website = line(500)
  .trim()
  .refine((value) => value === '' || isWebAddress(value), WRONG_URL)
/** For invoices. The forms of the countries differ, so only its signs are checked. */
export const vatId = line(30)
  .trim()
  .refine((value) => /^[\p{L}\p{N} ./-]*$/u.test(value), 'Enter a VAT number such as DE123456789')
const WRONG_PHONE = 'Phone number must be at least 6 digits'
export const phone = requiredLine(WRONG_PHONE, 6, 50).refine(isPhone, WRONG_PHONE)
export const companyAddress = requiredLine('Address is required', 1, 300)
export const zipCode = requiredLine('Zip code is required', 1, 20)
export const city = requiredLine('City is required')
export const country = requiredLine('Country is required').refine(
  (value) => countries.includes(value),
  'Country is required',
)
export const timeZone = requiredLine('Time zone is required').refine(
  isTimeZone,
  'Time zone is required',
)
export const timeFormat = requiredLine('Time format is required').refine(
  (value) => timeFormats.some((format) => format === value),
  'Time format is required',
)

/** '' for none. A name before the host may make people believe that it is the host. */
function isSecureLink(value: string): boolean {
  if (value === '') return true
  if (!/^https:\/\/[^\s"'<>\\]+$/i.test(value) || !URL.canParse(value)) return false
  const { username, password } = new URL(value)
  return username === '' && password === ''
}

/** Only http and https: `javascript:` would run in our page when it is clicked. */
function isWebAddress(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false
  return /^(?:[^.]+\.)+[^.]+\.?$/.test(new URL(value).hostname)
}

function isWebhookUrl(value: string): boolean {
  if (!/^https?:\/\/[^\s"'<>\\]+$/i.test(value) || !URL.canParse(value)) return false
  const { username, password, hash } = new URL(value)
  return username === '' && password === '' && hash === ''
}

/** Only port 443 is posted to. A server of this machine may have any: an installation on trial reaches it, another one refuses it. */
function isAtWebhookPort(value: string): boolean {
  const url = URL.parse(value)
  return url === null || url.port === '' || /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)
}

/** Six digits or more, with the usual separators and an optional extension. */
function isPhone(value: string): boolean {
  const hasSigns = /^[\p{Nd}\s+()./-]+(?:(?:x|ext\.?|#)\s*\p{Nd}{1,8})?$/iu.test(value)
  return hasSigns && (value.match(/\p{Nd}/gu)?.length ?? 0) >= 6
}

/** The specification's options, which come first in each list and have their own values. */
export const firstCountries = ['usa', 'canada', 'uk'] as const
export const firstTimeZones = ['pst', 'est', 'gmt'] as const
export const timeFormats = ['12h', '24h'] as const

/** ISO 3166-1 alpha-2 without the three above. */
export const isoCountries = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT ' +
  'BV BW BY BZ CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ' +
  'ES ET FI FJ FK FM FO FR GA GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID ' +
  'IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU ' +
  'LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO ' +
  'NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI ' +
  'SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM UY ' +
  'UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
).split(' ')

const countries: readonly string[] = [...firstCountries, ...isoCountries]

/** A name of the tz database that this runtime knows; no bare offset. */
function isTimeZone(value: string): boolean {
  if (firstTimeZones.some((zone) => zone === value)) return true
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(value)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The profile of an account. */
export const profileEmail = z
  .string('Enter a valid email address')
  .trim()
  .toLowerCase()
  .refine(isAddress, 'Enter a valid email address')

/** Required only when the e-mail changes; empty counts as absent. */
export const currentPassword = line(128, tooLongPassword)

/** The rules of the update-password modal differ from those of sign-up. */
const modalPassword = (message: string) =>
  z
    .string(message)
    .min(6, message)
    .max(128, tooLongPassword)
    .refine((value) => !lineBreaking.test(value), NO_LINE_BREAKS)
export const oldPassword = modalPassword('Old password is required')
export const replacementPassword = modalPassword('New password must be at least 6 characters')
export const confirmReplacement = modalPassword('Please confirm your new password')

export const workspaceName = requiredLine('Please enter a name', 1, 60)
export const viewName = requiredLine('Please enter a name', 1, 60)

/** An app password: which program it is for, what it is for, and when it ends; null: it has no end. */
export const appPasswordName = requiredLine('Please enter a name', 1, 60)
export const appPasswordScopes = z
  .array(z.enum(programScopes), 'Please choose what it is for')
  .min(1, 'Please choose what it is for')
  .max(2, 'Please choose each only once')
  .refine((scopes) => new Set(scopes).size === scopes.length, 'Please choose each only once')
export const appPasswordEnd = z.iso
  .datetime({ offset: true, error: 'Please choose a day' })
  .nullable()

/** What an API key may do, and to what it is narrowed: ids; null: to nothing. */
export const chosenScopes = <S extends z.ZodType>(scope: S) =>
  z
    .array(scope, 'Please choose what it may do')
    .min(1, 'Please choose what it may do')
    .max(100)
    .refine((scopes) => new Set(scopes).size === scopes.length, 'Please choose each only once')
export const narrowedTo = z.array(z.uuid()).min(1, 'Please choose at least one').max(500).nullable()
const NO_NETWORK = 'Please enter addresses or networks, such as 192.0.2.7 or 192.0.2.0/24'
export const networks = z
  .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], NO_NETWORK))
  .max(50, 'At most 50 networks')
/** Of an authenticator app; programs show it in two groups. */
export const oneTimeCode = z
  .string('Please enter the code')
  .max(20, 'The code has 6 digits')
  .overwrite((value) => value.replace(/\s/g, ''))
  .regex(/^\d{6}$/, 'The code has 6 digits')
export const recoveryCode = line(60).trim().min(1, 'Please enter a recovery code')
export const passkeyName = requiredLine('Please enter a name', 1, 60)

/** What an operator tells the members of a workspace. */
export const operatorReason = line(500).min(1, 'Please give a reason; the workspace reads it')
/** Words that an operator looks for. */
export const operatorSearch = line(200).optional()
/** A domain, an address or an id. */
export const queueValue = line(320).trim().min(1, 'Please say which')
/** An address or a domain, or two of them. */
export const loggedAddress = line(320).trim().min(1, 'Please enter an address or a domain')
/** An IP address, a network, an address or a domain. */
export const listedSender = line(320)
  .trim()
  .min(1, 'Please say whom: an IP address, a network, an address or a domain')
/** When it ends; null: it stays. */
export const optionalEnd = z.iso.datetime({ offset: true, error: 'Please choose a day' }).nullable()
/** What an operator tells the people who are signed in. */
export const announcementText = line(300).trim().min(1, 'Please write a sentence')
export const announcementLink = line(500)
  .trim()
  .refine(isSecureLink, 'Please enter a link that begins with https://')
/** For other operators. */
export const operatorNote = line(200).trim()
/** Mailboxes that a domain may have. */
export const mailboxLimit = z
  .number('Please enter a whole number')
  .int('Please enter a whole number')
  .min(1, 'At least 1')
  .max(100_000, 'At most 100000')
/** Up to a petabyte. */
export const quotaBytes = z
  .number('Please enter a number')
  .int('Please enter a number')
  .min(1_000_000, 'At least 1 MB')
  .max(1e15, 'At most 1 PB')

/** A token from a mailed link: 32 random bytes as base64url. */
export const linkToken = z.string().min(1).max(200)

/** Only the token of a mailed link. */
export const mailedLink = z.strictObject({ session: linkToken })

export const WEBHOOK_PORT_ONLY = 'Please enter an address without a port: only 443 is posted to'

/** Where events are posted. Which hosts may be dialled is for the network guard; plain http is only for a trial on one machine. */
export const webhookUrl = z
  .string('Please enter an address')
  .trim()
  .min(1, 'Please enter an address')
  .max(2_000, 'At most 2000 characters')
  .refine(isWebhookUrl, 'Please enter an address that begins with https://')
  .refine(isAtWebhookPort, WEBHOOK_PORT_ONLY)

export const id = z.uuid()
export const page = {
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: line(500).optional(),
}

/** The answer of what has nothing else to tell: a sentence to show. */
export const confirmation = z.object({ message: z.string() })

export const counted = z.object({ count: z.number().int() })
