/** Every route of the contract, so that a new one is tested at once. */
import { readdir } from 'node:fs/promises'
import type { Route } from '#contract/route.ts'

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'method' in value && 'output' in value

export const declaredRoutes = async (): Promise<Route[]> => {
  const names = await readdir(new URL('../../../contract', import.meta.url), { recursive: true })
  const modules = await Promise.all(
    names
      .filter((name) => /(?<!\.test)\.ts$/.test(name))
      .map((name) => import(/* @vite-ignore */ `../../../contract/${name}`)),
  )
  const exported = modules.flatMap((module) => Object.entries(module))
  for (const [name, route] of exported)
    if (isRoute(route) && route.name !== name)
      throw new Error(`${name} is declared with the name ${route.name}`)
  return exported.map(([, value]) => value).filter(isRoute)
}

export const nameOf = (route: Route) => `${route.method} ${route.path}`
