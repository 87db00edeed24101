/** Parses one part of a request with its schema; what is wrong is told field by field. */
import type { z } from 'zod'
import { AppError } from '#contract/errors.ts'
import { NO_NUL } from './parse-json.ts'

/** Nobody reads more. */
const MAX_ISSUES = 100

/** @throws VALIDATION with the first message of each field, nested paths joined with dots. */
export const parseInput = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> => {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const fields: Record<string, string> = {}
  const tell = (field: string, message: string) => {
    if (!Object.hasOwn(fields, field)) fields[field] = message
  }
  for (const issue of result.error.issues.slice(0, MAX_ISSUES)) {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys.slice(0, MAX_ISSUES))
        tell([...path, key].join('.'), 'Unknown field')
    else tell(path.join('.') || 'body', issue.message)
  }
  throw new AppError('VALIDATION', { data: fields })
}

/** @throws VALIDATION when a value of the query holds a NUL, declared or not. */
export const checkQuery = (query: unknown): void => {
  for (const [key, value] of Object.entries(query ?? {}))
    if (String(value).includes('\0') || key.includes('\0'))
      throw new AppError('VALIDATION', { data: { [key.replaceAll('\0', '')]: NO_NUL } })
}
