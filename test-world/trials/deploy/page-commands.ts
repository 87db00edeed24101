/** The commands of a page for operators, by their heading: what the page says is what the trials run. */
import { readFileSync } from 'node:fs'

/** Run by the trials `carry-over-kill` and `rolling-upgrade`: a deployment has no older PostgreSQL, and is not upgraded. */
export const triedHere = { upgrade: ['A newer PostgreSQL', 'Finish'] } as const

/** @throws when the page has no such heading, or no command below it */
export const commandsOf = (page: string, heading: string): string[] => {
  const text = readFileSync(`docs/operating/${page}.md`, 'utf8')
  const section = text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? ''
  const commands = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  if (commands.length === 0) throw new Error(`${page}.md has no command below '${heading}'`)
  return commands
}

/** All headings of the page that have commands. */
export const headingsOf = (page: string): string[] =>
  readFileSync(`docs/operating/${page}.md`, 'utf8')
    .split(/^## /m)
    .slice(1)
    .filter((section) => section.includes('```sh'))
    .map((section) => section.slice(0, section.indexOf('\n')))
