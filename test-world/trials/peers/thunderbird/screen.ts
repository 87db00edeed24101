/** Thunderbird on a screen of its own, with an empty profile that trusts one root more, and the hands and eyes of who sits there. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connectMarionette, type Marionette } from './marionette.ts'

export type Screen = {
  /** Waits for what this selector finds and a person can see, in any window; `text` is in it. @returns all of its text */
  see(selector: string, text?: string): Promise<string>
  /** Waits until nobody can see it. */
  seeNoMore(selector: string, text?: string): Promise<void>
  click(selector: string, text?: string): Promise<void>
  /** Clicks into a field, and writes in place of what it says. */
  type(selector: string, text: string): Promise<void>
  /** A key or several of them, as `Delete` or `ctrl+a`. */
  press(keys: string): Promise<void>
  /** A picture of all of it. */
  picture(name: string): Promise<void>
  close(): Promise<void>
}

const PATIENCE_MS = 60_000
const PAUSE_MS = 200
const SIZE = '1280x960x24'

/** No setting names a server: these turn off what greets, asks or updates, and let Marionette in. */
const PREFERENCES = {
  'marionette.port': 0,
  'mail.shell.checkDefaultClient': false,
  'datareporting.policy.bypassNotification': true,
  'mailnews.start_page.enabled': false,
  'app.donation.eoy.version.viewed': 999,
  'app.update.enabled': false,
}

/** Looks into shadow roots and frames; the newest window first. */
const LOOK = `
  const [selector, text] = arguments
  const isThere = (el) => el.matches(selector) && el.textContent.includes(text) && el.checkVisibility() && !el.disabled
  const frameOf = (el) => { try { return el.contentDocument } catch { return null } }
  const within = (root) => {
    for (const el of root.querySelectorAll('*')) {
      if (isThere(el)) return el
      const frame = el.checkVisibility() ? frameOf(el) : null
      const inner = (el.shadowRoot && within(el.shadowRoot)) || (frame && within(frame))
      if (inner) return inner
    }
    return null
  }
  for (const window of [...Services.wm.getEnumerator(null)].toReversed()) {
    const el = within(window.document)
    if (el === null) continue
    const { left, top, width, height } = el.getBoundingClientRect()
    const { mozInnerScreenX, mozInnerScreenY } = el.ownerDocument.defaultView
    return {
      x: Math.round(mozInnerScreenX + left + width / 2),
      y: Math.round(mozInnerScreenY + top + height / 2),
      text: el.textContent.replace(/\\s+/g, ' ').trim(),
    }
  }
  return null`

type Seen = { x: number; y: number; text: string }

/** `root`: a certificate in PEM. `folder`: for all that it keeps; `pictures`: where these go. */
export const openScreen = async (
  root: string,
  folder: string,
  pictures: string,
): Promise<Screen> => {
  const profile = await newProfile(root, folder)
  const { display, server } = await openDisplay()
  const { PATH } = process.env
  const env = { PATH, HOME: folder, LANG: 'C.UTF-8', DISPLAY: display }
  const run = async (command: string, ...args: string[]): Promise<void> => {
    await promisify(execFile)(command, args, { env })
  }
  const flags = [
    '--profile',
    profile,
    '--no-remote',
    '--marionette',
    '--remote-allow-system-access',
  ]
  const thunderbird = spawn('thunderbird', flags, { env, stdio: 'ignore' })
  const marionette = await untilSome('Marionette', () => listening(profile))
  const look = (selector: string, text: string) =>
    marionette.script<Seen | null>(LOOK, selector, text)
  const find = (selector: string, text: string): Promise<Seen> =>
    untilSome(`${selector} ${text}`, () => look(selector, text))
  /** What still moves would be missed. */
  const findAtRest = (selector: string, text: string): Promise<Seen> =>
    untilSome(`${selector} ${text}, at rest`, async () => {
      const first = await look(selector, text)
      await wait(PAUSE_MS)
      const second = await look(selector, text)
      return first?.x === second?.x && first?.y === second?.y ? second : null
    })
  const click = async (selector: string, text = ''): Promise<void> => {
    const { x, y } = await findAtRest(selector, text)
    await run('xdotool', 'mousemove', String(x), String(y), 'click', '1')
  }
  const press = (keys: string): Promise<void> => run('xdotool', 'key', keys)
  return {
    see: async (selector, text = '') => (await find(selector, text)).text,
    seeNoMore: async (selector, text = '') => {
      await untilSome(`no ${selector} ${text}`, async () => (await look(selector, text)) === null)
    },
    click,
    type: async (selector, text) => {
      await click(selector)
      await press('ctrl+a')
      await run('xdotool', 'type', '--delay', '20', text)
    },
    press,
    picture: (name) => run('import', '-window', 'root', join(pictures, `${name}.png`)),
    close: async () => {
      await marionette.quit()
      await ended(thunderbird)
      server.kill()
      await ended(server)
    },
  }
}

const newProfile = async (root: string, folder: string): Promise<string> => {
  const profile = join(folder, 'profile')
  mkdirSync(profile, { recursive: true })
  const pem = join(folder, 'root.pem')
  writeFileSync(pem, root)
  const database = ['-d', `sql:${profile}`]
  await promisify(execFile)('certutil', [...database, '-N', '--empty-password'])
  const trust = ['-A', '-n', 'Root of the tests', '-t', 'C,,', '-i', pem]
  await promisify(execFile)('certutil', [...database, ...trust])
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  )
  writeFileSync(join(profile, 'user.js'), lines.join(''))
  return profile
}

/** It takes a free number, and tells it. */
const openDisplay = async (): Promise<{ display: string; server: ChildProcess }> => {
  const options = ['-displayfd', '1', '-screen', '0', SIZE, '-nolisten', 'tcp']
  const server = spawn('Xvfb', options, { stdio: ['ignore', 'pipe', 'ignore'] })
  const [number] = await once(server.stdout, 'data')
  return { display: `:${String(number).trim()}`, server }
}

/** Null until Thunderbird has written where it listens. */
const listening = async (profile: string): Promise<Marionette | null> => {
  try {
    const port = Number(readFileSync(join(profile, 'MarionetteActivePort'), 'utf8'))
    return await connectMarionette(port)
  } catch {
    return null
  }
}

/** Asks again until there is something. @throws after a minute */
export const untilSome = async <Value>(
  what: string,
  ask: () => Promise<Value | null | false>,
): Promise<Value> => {
  for (const start = performance.now(); performance.now() - start < PATIENCE_MS; ) {
    const value = await ask()
    if (value !== null && value !== false) return value
    await wait(PAUSE_MS)
  }
  throw new Error(`not seen for a minute: ${what}`)
}

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
