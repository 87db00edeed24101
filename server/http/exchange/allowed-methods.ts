import { API_PREFIX, type Route } from '#contract/route.ts'

/** The methods that a path answers to; none when no route has it. */
export const allowedMethods = (routes: readonly Route[], path: string): string[] =>
  routes.filter((route) => matches(API_PREFIX + route.path, path)).map((route) => route.method)

const matches = (template: string, path: string): boolean => {
  const wanted = template.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith('{') ? given[i] !== '' : part === given[i]))
  )
}
