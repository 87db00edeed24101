/** An address whose @ was lost or mistyped: what stands before a domain of the workspace is the name in it. */
import { emailAddress } from '#contract/fields.ts'

/** `domains`: of the workspace, as people write them. null: it ends with none of them, or no name is left. */
export function proposedAddress(typed: string, domains: readonly string[]): string | null {
  const text = typed.trim().toLowerCase()
  const [domain] = domains
    .filter((name) => name !== '' && text.endsWith(name))
    .toSorted((a, b) => b.length - a.length)
  if (domain === undefined) return null
  const local = text
    .slice(0, -domain.length)
    .replace(/\s*[([{<]at[)\]}>]\s*$/, '')
    .replace(/[\s.@]+$/, '')
  const address = `${local}@${domain}`
  return emailAddress.safeParse(address).success ? address : null
}
