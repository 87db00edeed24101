/** A request as a developer would type it. */
import type { Operation } from './openapi-document.ts'

/** The path with the example of each of its parameters. */
export const examplePath = ({ path, parameters }: Operation): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name)
    return encodeURIComponent(String(parameter?.example ?? name))
  })

export const exampleBody = ({ body }: Operation): string =>
  body?.mediaType === 'application/json' ? JSON.stringify(body.example, null, 2) : ''

export const curlOf = (operation: Operation, server: string): string => {
  const { method, body, isOpen } = operation
  const lines = [`curl -X ${method} '${server}${examplePath(operation)}'`]
  if (!isOpen) lines.push(`-H "Authorization: Bearer $KEY"`)
  if (body) lines.push(`-H 'Content-Type: ${body.mediaType}'`)
  if (body?.mediaType === 'application/json')
    lines.push(`-d '${exampleBody(operation).replaceAll("'", `'\\''`)}'`)
  else if (body) lines.push("--data-binary '@file'")
  return lines.join(' \\\n  ')
}

export const fetchOf = (operation: Operation, server: string): string => {
  const { method, body, isOpen } = operation
  const headers = [
    ...(isOpen ? [] : ["    Authorization: 'Bearer ' + key,"]),
    ...(body ? [`    'Content-Type': '${body.mediaType}',`] : []),
  ]
  const sent = exampleBody(operation).replaceAll('\n', '\n  ')
  return [
    `const answer = await fetch('${server}${examplePath(operation)}', {`,
    `  method: '${method}',`,
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(sent ? [`  body: JSON.stringify(${sent}),`] : []),
    ...(body && !sent ? ['  body: file,'] : []),
    '})',
    'if (!answer.ok) throw new Error((await answer.json()).message)',
  ].join('\n')
}
