/** Every error that a user can meet: its type, HTTP status and the message shown when there is no more exact one. */
import { z } from 'zod'

const catalogue = {
  // The specification's auth error types.
  NOT_EXISTS: [404, 'Not found'],
  INVALID_PASSWORD: [401, 'Invalid email or password'],
  USER_ALREADY_EXISTS: [409, 'An account with this email already exists'],
  NOT_VERIFIED: [403, 'Please verify your email first'],
  ALREADY_VERIFIED: [409, 'This email is already verified'],
  LINK_EXPIRED: [410, 'This link has expired'],
  INVALID_SIGNATURE: [400, 'This link is not valid'],
  NO_AUTH_TOKEN: [401, 'Please log in'],
  JWT_EXPIRED: [401, 'Your session has expired'],
  /** A failed refresh; its message is JWT_EXPIRED or NO_AUTH_TOKEN. */
  REFRESH: [401, 'NO_AUTH_TOKEN'],

  INVALID_KEY: [401, 'This API key is not valid. It may have ended'],

  // Requests that cannot be read or are not allowed.
  VALIDATION: [422, 'Please check the highlighted fields'],
  BAD_REQUEST: [400, 'The request could not be read'],
  PAYLOAD_TOO_LARGE: [413, 'This is too large'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Please send JSON'],
  HEADERS_TOO_LARGE: [431, 'The address and the headers of the request are above 16 kB'],
  REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  METHOD_NOT_ALLOWED: [405, 'This cannot be done here'],
  FORBIDDEN: [403, 'You are not allowed to do this'],
  WRONG_ORIGIN: [403, 'This request did not come from our own pages'],
  TOO_MANY_REQUESTS: [429, 'Too many requests'],
  SIGN_UP_CLOSED: [403, 'Sign-up is closed here'],

  // Second factors.
  SECOND_FACTOR_REQUIRED: [403, 'Please confirm that it is you'],
  SIGN_IN_EXPIRED: [410, 'This took too long, or was done already. Please begin again'],
  PASSKEY_REFUSED: [403, 'This passkey was not accepted. Please try again, or sign in another way'],
  PASSKEYS_UNAVAILABLE: [
    409,
    'Passkeys need a host name: this installation is reached by an address of numbers',
  ],
  PASSKEY_LIMIT: [409, 'You have 20 passkeys. Delete one of them first'],
  NO_SECOND_FACTOR: [409, 'This person has no second factor'],
  FACTOR_OF_OTHERS: [
    409,
    'This person is in other workspaces too, or operates this installation. Ask its operator to reset the second factor',
  ],
  STEP_UP_REQUIRED: [403, 'Please confirm that it is you'],
  FACTOR_SET_UP_REQUIRED: [403, 'A second factor is required here. Please set one up first'],
  OWN_FACTOR_FIRST: [409, 'Set up a second factor of your own first'],

  // Third-party sign-in.
  GOOGLE_NOT_SET_UP: [409, 'Google sign-in is not set up here'],
  OAUTH_FAILED: [400, 'Google sign-in did not complete. Please try again'],

  // Domains and mailboxes.
  DOMAIN_EXISTS: [409, 'This domain is already in your workspace'],
  DOMAIN_HELD: [409, 'Another workspace has already proven that it owns this domain'],
  NO_OPEN_CLAIM: [409, 'There is no open claim on this domain'],
  DOMAIN_NOT_VERIFIED: [409, 'Please verify ownership first'],
  DOMAIN_NOT_ACTIVE: [409, 'This domain is not active yet. Publish its DNS records first'],
  TRIAL: [409, 'This installation is a trial, so it shows no DNS records to publish'],
  DNS_LINK_LIMIT: [409, 'This domain has 20 open links. Revoke one of them first'],
  VIEW_EXISTS: [409, 'You have a view of this name already'],
  VIEW_LIMIT: [409, 'You have 20 saved views of this list. Delete one of them first'],
  SENDING_STOPPED: [
    409,
    'Sending from this domain has stopped, because its ownership record is missing from DNS',
  ],
  SENDING_LIMIT: [409, 'This mailbox has reached its limit of recipients for now'],
  MAILBOX_SENDING_STOPPED: [
    409,
    'Sending from this mailbox has stopped, because too many of its messages were refused',
  ],
  MAILBOX_EXISTS: [409, 'A mailbox with this address already exists'],
  ADDRESS_TAKEN: [409, 'This address is taken'],
  APP_PASSWORD_LIMIT: [409, 'You have 50 app passwords for this mailbox. End one of them first'],
  API_KEY_LIMIT: [409, 'There are 100 API keys already. End one of them first'],
  ALIAS_LIMIT: [409, 'A mailbox has at most 50 aliases. Remove one of them first'],
  MAILBOX_LIMIT: [409, 'This domain has no free mailbox left'],
  MAILBOX_NOT_ACTIVE: [409, 'This mailbox is not active'],
  MAILBOX_DELETED: [
    409,
    'This mailbox was deleted. Until it ends it still receives mail and can be read, but it sends nothing',
  ],
  MAILBOX_SUSPENDED: [
    403,
    'This mailbox is suspended. It still receives mail; ask your administrator to resume it',
  ],
  ACCOUNT_HAS_ADDRESS: [
    409,
    'There is already an account with this address. Invite its owner to the workspace; then an Admin can give them the mailbox',
  ],
  ADDRESS_FIXED: [409, 'The address cannot change once the mailbox has mail'],
  STATUS_NOT_ALLOWED: [409, 'A mailbox becomes active when it is paid for'],
  NOTHING_TO_PAY: [422, 'None of these mailboxes is waiting for payment'],
  IDEMPOTENCY_MISMATCH: [409, 'This key was used for a different payment'],
  IDEMPOTENCY_REUSED: [422, 'This Idempotency-Key was used for another request'],
  IDEMPOTENCY_RUNNING: [
    409,
    'A request with this Idempotency-Key is being done, or ended without an answer. Please look what it made before you repeat it with another key',
  ],
  PICTURE_UNAVAILABLE: [409, 'No picture could be loaded from this address'],
  NO_ONE_CLICK: [409, 'This message offers no verified way to unsubscribe in one click'],
  UNSUBSCRIBE_FAILED: [409, 'The list did not answer as it should. Please try again later'],
  SENDER_NOT_PROVEN: [409, 'The sender of this message could not be verified'],
  IMPORT_OPEN: [409, 'Another import into this mailbox is not finished. End it first'],
  WEBHOOK_LIMIT: [409, 'This workspace has 20 webhooks. Delete one of them first'],
  WEBHOOK_OFF: [409, 'This webhook is off. Switch it on first'],
  STORAGE_FULL: [409, 'The storage of this workspace is full'],
  DRAFT_CHANGED: [409, 'This draft was changed in another window'],
  SEND_UNDONE: [409, 'This message was taken back before it was sent'],

  // Workspaces.
  WORKSPACE_SUSPENDED: [
    403,
    'The operator of this installation has suspended sending from this workspace. It still receives mail',
  ],
  WORKSPACE_DELETED: [409, 'This workspace was deleted. Take it back first'],
  EXPORT_OPEN: [409, 'An export of this workspace is being made. Wait for it, or delete it first'],
  LAST_ADMIN: [409, 'A workspace keeps at least one Admin'],

  // Ours.
  INTERNAL: [500, 'Something went wrong'],
  CONTENT_MISSING: [
    410,
    'The content of this message is missing on the server. Please tell the operator of this installation',
  ],
  UNAVAILABLE: [503, 'The service is starting, or a part of it is not available. Please try again'],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorType = keyof typeof catalogue
export const errorTypes = Object.keys(catalogue) as ErrorType[]
export const statusOf = (type: ErrorType): number => catalogue[type][0]
/** Nothing was changed, for certain: each is thrown before its transaction ends. After any other error nobody knows. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof AppError && error.type !== 'INTERNAL'
export const sentenceOf = (type: ErrorType): string => catalogue[type][1]

/** Which token a 401 is about: ACCESS asks the client to refresh and retry once, REFRESH to log in. */
export const tokenType = z.enum(['ACCESS', 'REFRESH'])

export const errorBody = z.object({
  type: z.string(),
  message: z.string(),
  statusCode: z.number().int(),
  path: z.string(),
  data: z
    .record(z.string(), z.unknown())
    .describe(
      'For VALIDATION: field name to message. For INTERNAL: the request id. Otherwise empty or details.',
    ),
  tokenType: tokenType.optional(),
})
export type ErrorBody = z.infer<typeof errorBody>

/** Errors that any endpoint may answer. */
export const commonErrors: readonly ErrorType[] = [
  'VALIDATION',
  'BAD_REQUEST',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'HEADERS_TOO_LARGE',
  'REQUEST_TIMEOUT',
  'TOO_MANY_REQUESTS',
  'INTERNAL',
  'CONTENT_MISSING',
  'UNAVAILABLE',
]

/** Errors that any endpoint with a session may answer besides. */
export const sessionErrors: readonly ErrorType[] = [
  'NO_AUTH_TOKEN',
  'JWT_EXPIRED',
  'INVALID_SIGNATURE',
  'INVALID_KEY',
  'FORBIDDEN',
  'NOT_EXISTS',
  'IDEMPOTENCY_REUSED',
  'IDEMPOTENCY_RUNNING',
  'STEP_UP_REQUIRED',
  'FACTOR_SET_UP_REQUIRED',
]

/** Thrown by features; the doors (`http`, `mail`) translate it. Anything else thrown is a fault of ours. */
export class AppError extends Error {
  readonly type: ErrorType
  /** Field messages for VALIDATION, else details; reaches the user. */
  readonly data: Record<string, unknown>
  /** Goes with TOO_MANY_REQUESTS and UNAVAILABLE. */
  readonly retryAfterSeconds: number | undefined
  readonly tokenType: 'ACCESS' | 'REFRESH' | undefined

  constructor(
    type: ErrorType,
    details: {
      message?: string
      data?: Record<string, unknown>
      retryAfterSeconds?: number
      tokenType?: 'ACCESS' | 'REFRESH'
    } = {},
  ) {
    super(details.message ?? sentenceOf(type))
    this.name = 'AppError'
    this.type = type
    this.data = details.data ?? {}
    this.retryAfterSeconds = details.retryAfterSeconds
    this.tokenType = details.tokenType
  }
}

/** A refused field, with its message at the right place. */
export const invalidField = (field: string, message: string): AppError =>
  new AppError('VALIDATION', { data: { [field]: message } })
