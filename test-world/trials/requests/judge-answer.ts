/** Whether an answer is one that the OpenAPI document declares: its status, its media type and its body. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema } from '#server/http/openapi/json-schema.ts'
import type { Operation } from './mutate-request.ts'

export type Answer = { status: number; headers: NodeJS.Dict<string | string[]>; body: string }

type Document = {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Operation['responses'][string]>
  }
}

export type Judge = {
  operations: Operation[]
  /** The named schemas. */
  components: Record<string, JsonSchema>
  /** What is wrong with an answer; null: it is as declared. */
  faultOf: (operation: Operation, answer: Answer) => string | null
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

export const openJudge = (document: object): Judge => {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  const { paths, components } = document as Document
  const compiled = new Map<string, ValidateFunction>()
  const validatorAt = (pointer: string) => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` })
    compiled.set(pointer, known)
    return known
  }
  const responseOf = ({ path, method, responses }: Operation, status: number) => {
    const declared = responses[String(status)]
    if (!declared) return null
    const shared = declared.$ref?.split('/').at(-1)
    return shared === undefined
      ? {
          at: `/paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}`,
          content: declared.content,
        }
      : { at: `/components/responses/${shared}`, content: components.responses[shared]?.content }
  }
  return {
    components: components.schemas,
    operations: Object.entries(paths).flatMap(([path, of]) =>
      Object.entries(of).map(([method, operation]) => ({
        ...operation,
        ...{ path, method: method.toUpperCase() },
      })),
    ),
    faultOf: (operation, { status, headers, body }) => {
      const response = responseOf(operation, status)
      if (response === null) return `the status ${status} is not declared`
      if ((status === 429 || status === 503) && headers['retry-after'] === undefined)
        return `${status} without Retry-After`
      const type = String(headers['content-type']).split(';')[0] ?? ''
      const isJson = response.content?.['application/json'] !== undefined
      if (!isJson) return null
      if (response.content?.[type] === undefined) return `the media type ${type} is not declared`
      const validate = validatorAt(`${response.at}/content/${escaped(type)}/schema`)
      if (validate(JSON.parse(body))) return null
      return `${status} ${ajv.errorsText(validate.errors)}`
    },
  }
}
