/** A name server in a separate process, so that it does not use the product's processor time. It reads zones as lines of JSON. */
import { createInterface } from 'node:readline'
import { aDnsServer } from '#test-world/dns/dns-server.ts'

type Line = { zone: string; txt: Record<string, string>; mx: string }

const world = await aDnsServer()
for await (const line of createInterface({ input: process.stdin })) {
  if (line === '') break
  const { zone, txt, mx } = JSON.parse(line) as Line
  world.zone(zone)
  for (const [name, value] of Object.entries(txt)) world.set(name, 'TXT', [value])
  world.set(zone, 'MX', [mx])
}
process.stdout.write(`${world.port}\n`)
process.once('SIGTERM', () => void world.close())
