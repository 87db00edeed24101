/**
 * API keys: a program that calls with `Authorization: Bearer` and a key acts as the person who made it, in one workspace, within the
 * scopes of the key (decision 120).
 */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'
import { keyScope } from './scopes.ts'

/** What a key begins with, for people and for programs that look for leaked secrets. */
export const KEY_PREFIX = 'mailstead_'

/** Of a workspace, and of a person in one workspace. */
export const MAX_API_KEYS = 100

/** workspace: all Admins see it. person: only who made it does, a member or the holder of a mailbox. */
export const keyKind = z.enum(['workspace', 'person'])
export type KeyKind = z.infer<typeof keyKind>

const narrowing = z.array(fields.id)

export const keyMaker = z.object({ _id: fields.id, name: z.string(), isYou: z.boolean() })

export const apiKey = z.object({
  _id: fields.id,
  kind: keyKind,
  name: z.string(),
  /** Its last characters, by which people know it again. */
  ending: z.string(),
  scopes: z.array(keyScope),
  /** Ids; null with `mailboxes` null: it is not narrowed. */
  domains: narrowing.nullable(),
  mailboxes: narrowing.nullable(),
  /** Addresses and networks that it may be used from; empty: from anywhere. */
  ips: z.array(z.string()),
  createdAt: z.iso.datetime(),
  /** null: it has no end. */
  expiresAt: z.iso.datetime().nullable(),
  /** To the minute; null: never used. */
  lastUsedAt: z.iso.datetime().nullable(),
  lastUsedIp: z.string().nullable(),
  /** As who it acts: it ends when this member leaves the workspace or gets a lower role, and with the access of a holder. */
  madeBy: keyMaker,
})
export type ApiKey = z.infer<typeof apiKey>

export const madeApiKey = apiKey.extend({ key: z.string() })
export type MadeApiKey = z.infer<typeof madeApiKey>

export const apiKeyForm = z.strictObject({
  kind: keyKind.default('workspace'),
  name: fields.appPasswordName,
  scopes: fields.chosenScopes(keyScope),
  domains: fields.narrowedTo.optional(),
  mailboxes: fields.narrowedTo.optional(),
  expiresAt: fields.appPasswordEnd.optional(),
  ips: fields.networks.optional(),
})

/** What is left out stays as it is. */
export const apiKeyChange = z.strictObject({
  name: fields.appPasswordName.optional(),
  scopes: fields.chosenScopes(keyScope).optional(),
  domains: fields.narrowedTo.optional(),
  mailboxes: fields.narrowedTo.optional(),
  expiresAt: fields.appPasswordEnd.optional(),
  ips: fields.networks.optional(),
})

/** One call of the API. */
export const keyCall = z.object({
  name: z.string(),
  method: z.string(),
  /** Below `/api/v1`. */
  path: z.string(),
  summary: z.string(),
})
export type KeyCall = z.infer<typeof keyCall>

const params = z.object({ id: z.string() })

export const listApiKeys = route({
  name: 'listApiKeys',
  method: 'GET',
  path: '/api-keys',
  summary: 'The caller’s own API keys in this workspace, and for Admins those of the workspace',
  access: 'have-keys',
  reads: ['api-keys'],
  output: z.array(apiKey),
  errors: [],
})

export const getApiKey = route({
  name: 'getApiKey',
  method: 'GET',
  path: '/api-keys/{id}',
  summary: 'One API key',
  access: 'have-keys',
  reads: ['api-keys'],
  params,
  output: apiKey,
  errors: ['NOT_EXISTS'],
})

export const listKeyCalls = route({
  name: 'listKeyCalls',
  method: 'GET',
  path: '/api-keys/{id}/calls',
  summary: 'Every call that an API key may make',
  access: 'have-keys',
  reads: ['api-keys'],
  params,
  output: z.array(keyCall),
  errors: ['NOT_EXISTS'],
})

export const makeApiKey = route({
  name: 'makeApiKey',
  method: 'POST',
  path: '/api-keys',
  summary: 'Make an API key; it is answered this once',
  access: 'have-keys',
  changes: ['api-keys'],
  body: apiKeyForm,
  output: madeApiKey,
  errors: ['NOT_EXISTS', 'API_KEY_LIMIT'],
  status: 201,
})

export const editApiKey = route({
  name: 'editApiKey',
  method: 'PATCH',
  path: '/api-keys/{id}',
  summary:
    'Change a key that you made: its name, what it may do and reach, from where and until when',
  access: 'have-keys',
  changes: ['api-keys'],
  params,
  body: apiKeyChange,
  output: apiKey,
  errors: ['NOT_EXISTS'],
})

export const endApiKey = route({
  name: 'endApiKey',
  method: 'DELETE',
  path: '/api-keys/{id}',
  summary: 'End an API key at once, with the event streams that it reads',
  access: 'have-keys',
  changes: ['api-keys'],
  params,
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

export const getOwnKey = route({
  name: 'getOwnKey',
  method: 'GET',
  path: '/key',
  summary: 'The API key of the request, for a program that asks what it may do',
  access: 'have-keys',
  reads: ['api-keys'],
  output: apiKey,
  errors: ['NOT_EXISTS'],
})
