/** A form with every field filled: from the route's good body, otherwise by the field's schema. */
import { z } from 'zod'
import type { Route } from '#contract/route.ts'
import { nameOf } from './declared-routes.ts'
import { goodBodies } from './good-bodies.ts'

export type Form = Record<string, unknown>

/** `given`: values that only a test world knows, such as ids and addresses. undefined: the field depends on another one. */
export const fullForm = (route: Route, given: Form): Form => {
  if (!(route.body instanceof z.ZodObject)) throw new Error(`${nameOf(route)} takes no form`)
  const good = goodBodies[nameOf(route)] ?? {}
  const form: Form = {}
  for (const [name, field] of Object.entries<z.ZodType>(route.body.shape)) {
    const value =
      name in given
        ? given[name]
        : (good[name] ?? filling(z.toJSONSchema(field, { io: 'input' }), name))
    if (value !== undefined && isDefault(field, value))
      throw new Error(`${nameOf(route)}: ${name} is what it would be anyway`)
    form[name] = value
  }
  return form
}

const isDefault = (field: z.ZodType, value: unknown): boolean =>
  ['', '[]', '0'].includes(typeof value === 'string' ? value : JSON.stringify(value)) ||
  JSON.stringify(field.safeParse(undefined).data) === JSON.stringify(value)

type Schema = z.core.JSONSchema.BaseSchema

const filling = (schema: Schema, name: string): unknown => {
  const { type, enum: values, anyOf, items, properties = {}, minimum = 1 } = schema
  if (values) return values.at(-1)
  const [choice] = anyOf ?? []
  if (typeof choice === 'object') return filling(choice, name)
  if (type === 'boolean') return schema.default !== true
  if (type === 'integer' || type === 'number') return Math.max(minimum, 1)
  if (type === 'array') return typeof items === 'object' ? [filling(items as Schema, name)] : []
  if (type !== 'object') return `Some ${name}`
  return Object.fromEntries(
    Object.entries(properties).map(([inner, of]) => [inner, filling(of as Schema, inner)]),
  )
}
