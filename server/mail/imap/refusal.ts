/** Why a command is refused: a response code (RFC 9051 §7.1) and a sentence. */
import { AppError, type ErrorType } from '#contract/errors.ts'

export class Refusal extends Error {
  override name = 'Refusal'
  /** '': none fits. */
  readonly code: string
  constructor(code: string, sentence: string) {
    super(sentence)
    this.code = code
  }
}

const codes: Partial<Record<ErrorType, string>> = {
  NOT_EXISTS: 'NONEXISTENT',
  FORBIDDEN: 'NOPERM',
  STORAGE_FULL: 'OVERQUOTA',
  VALIDATION: 'CANNOT',
  UNAVAILABLE: 'UNAVAILABLE',
  TOO_MANY_REQUESTS: 'LIMIT',
}

/** undefined: a fault of ours. */
export const refusalOf = (error: unknown): Refusal | undefined => {
  if (error instanceof Refusal) return error
  if (!(error instanceof AppError)) return undefined
  const [detail] = Object.values(error.data ?? {})
  return new Refusal(codes[error.type] ?? '', typeof detail === 'string' ? detail : error.message)
}
