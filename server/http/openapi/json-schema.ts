/** The part of JSON Schema (2020-12) that zod prints of the contract. */
export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
}

export const COMPONENTS = '#/components/schemas/'

/** The name of the component that a schema refers to; null for one that stands here. */
export const nameIn = ({ $ref }: JsonSchema): string | null =>
  $ref?.startsWith(COMPONENTS) ? $ref.slice(COMPONENTS.length) : null
