/**
 * The shape of one endpoint, described once: the server serves it, the web app calls it,
 * the OpenAPI document prints it. Nothing in `contract/` does I/O or imports anything but zod.
 */
import type { z } from 'zod'
import type { ErrorType } from './errors.ts'
import type { Right } from './rights.ts'
import type { Subject } from './subjects.ts'

/**
 * Who may call: anyone; a user with an account; any session, including that of a mailbox holder; an operator of the
 * installation; or members whose role has the right. A holder reaches only routes that name holders.
 */
export type Access = 'anyone' | 'signed-in' | 'any-session' | 'operator' | Right

type Fields = z.ZodObject | undefined

export type Route<
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Output extends z.ZodType = z.ZodType,
  Who extends Access = Access,
> = {
  /** As it is exported, such as 'listDomains': the operation of the OpenAPI document. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/v1`, parameters as `{id}`. */
  path: string
  /** One line. */
  summary: string
  /** What a developer must know besides, in Markdown. */
  description?: string
  access: Who
  /** For GET: what its answer shows. */
  reads?: readonly Subject[]
  /** For every other method: what it may change. */
  changes?: readonly Subject[]
  /** Why the audit log does not have it, although its subjects have a topic (decision 118). */
  notAudited?: string
  /** Where it differs from what `changes` says (decision 117). */
  asksForRecentSignIn?: boolean
  params?: Params
  query?: Query
  body?: Body
  output: Output
  /** Errors in addition to `commonErrors`. */
  errors: readonly ErrorType[]
  /** HTTP status of the answer, 200 when absent. */
  status?: 200 | 201 | 202
  /** Largest body in bytes, 256 KiB when absent. */
  bodyLimitBytes?: number
  /** The field of the body that holds a file as base64; the server decodes it while it arrives. */
  fileField?: string
  /** The body is raw bytes, sent as application/octet-stream. */
  takesBytes?: true
  /** Media type of an answer that is not JSON. */
  contentType?: 'application/octet-stream' | 'message/rfc822' | 'text/event-stream' | 'text/plain'
}

type Declared =
  | { method: 'GET'; reads: readonly Subject[] }
  | { method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; changes: readonly Subject[] }

/** Declares an endpoint, so that types come from the schemas and the compiler asks for `reads` or `changes`. */
export const route = <
  Params extends Fields = undefined,
  Query extends Fields = undefined,
  Body extends z.ZodType | undefined = undefined,
  Output extends z.ZodType = z.ZodType,
  Who extends Access = Access,
>(
  declared: Route<Params, Query, Body, Output, Who> & Declared,
) => declared

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Raw<S> = S extends z.ZodType ? z.input<S> : undefined
type Present<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] }

/** Input of a handler: parsed and normalised. */
export type Input<R> =
  R extends Route<infer P, infer Q, infer B, infer _O>
    ? Present<{ params: Parsed<P>; query: Parsed<Q>; body: Parsed<B> }>
    : never

/** Input of a caller. */
export type Arguments<R> =
  R extends Route<infer P, infer Q, infer B, infer _O>
    ? Present<{ params: Raw<P>; query: Raw<Q>; body: Raw<B> }>
    : never

export type Output<R> = R extends Route<infer _P, infer _Q, infer _B, infer O> ? z.output<O> : never

export const API_PREFIX = '/api/v1'

// Needed by the login page before the rest of the contract, and zod, is loaded.
export const REFRESH_PATH = '/auth/refresh'
export const INSTALLATION_PATH = '/installation'
export const WORKSPACE_HEADER = 'x-workspace-id'
