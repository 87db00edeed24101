/** The launcher in a small project with one package next to it: no network is needed. */
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inRoot } from './paths.js'

let folder = ''
const at = (...parts) => join(folder, ...parts)
const write = (path, text) => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}

const vite = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
const out = process.argv[process.argv.indexOf('--outDir') + 1]
mkdirSync(out, { recursive: true })
writeFileSync(out + '/app.js', 'a'.repeat(5000))
writeFileSync(out + '/logo.png', 'a'.repeat(5000))
appendFileSync('builds', 'x')
`

const writeProject = (dependencies, packages) => {
  const project = { name: 'small', version: '1.0.0', type: 'module', dependencies }
  write('package.json', JSON.stringify(project))
  const lock = { name: 'small', lockfileVersion: 3, packages: { '': project, ...packages } }
  write('package-lock.json', JSON.stringify(lock))
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailstead-start-'))
  cpSync(inRoot('scripts', 'launch'), at('scripts', 'launch'), { recursive: true })
  cpSync(inRoot('scripts', 'start.js'), at('scripts', 'start.js'))
  write(
    'server/main.ts',
    "console.log('ready', process.argv.slice(2).join(' ') as string)\nprocess.exit(4)\n",
  )
  write('web/main.tsx', 'export {}\n')
  write('packed-vite/package.json', '{ "name": "vite", "version": "1.0.0", "type": "module" }')
  write('packed-vite/bin/vite.js', vite)
  writeProject(
    { vite: 'file:packed-vite' },
    {
      'packed-vite': { name: 'vite', version: '1.0.0' },
      'node_modules/vite': { resolved: 'packed-vite', link: true },
    },
  )
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const start = (env = {}, ...args) =>
  new Promise((resolve) => {
    const { npm_lifecycle_event: _, ...ours } = process.env
    const child = spawn(process.execPath, ['scripts/start.js', ...args], {
      cwd: folder,
      env: {
        ...ours,
        npm_config_cache: at('cache'),
        npm_config_registry: 'http://127.0.0.1:9',
        ...env,
      },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output += text
      })
    child.on('exit', (code) => resolve({ code, output }))
  })

test('installs and builds what is missing or changed, and nothing else', async () => {
  const first = await start({}, '--port', '1')
  expect(first.output).toMatch(/^Installing packages.*\nBuilding the web app.*\nready --port 1\n$/)
  expect(first.code).toBe(4)
  const app = readFileSync(at('.build/web/app.js'))
  expect(gunzipSync(readFileSync(at('.build/web/app.js.gz')))).toEqual(app)
  expect(brotliDecompressSync(readFileSync(at('.build/web/app.js.br')))).toEqual(app)
  expect(existsSync(at('.build/web/logo.png.gz'))).toBe(false)

  expect((await start()).output).toBe('ready \n')

  write('web/new-page.tsx', 'export {}\n')
  expect((await start()).output).toMatch(/^Building the web app.*\nready \n$/)

  write('package-lock.json', `${readFileSync(at('package-lock.json'), 'utf8')}\n`)
  expect((await start({}, '--help')).output).toMatch(/^Installing packages.*\nready --help\n$/)
})

test('a release has its web app built, and installs no package that only builds', async () => {
  rmSync(at('web'), { recursive: true })
  for (const built of ['web', 'pages']) write(`.build/${built}/app.js`, '')
  write('packed-ours/package.json', '{ "name": "ours", "version": "1.0.0" }')
  const project = {
    ...{ name: 'small', version: '1.0.0', type: 'module' },
    ...{ dependencies: { ours: 'file:packed-ours' } },
    devDependencies: { vite: 'file:packed-vite' },
  }
  write('package.json', JSON.stringify(project))
  const packages = {
    '': project,
    'packed-ours': { name: 'ours', version: '1.0.0' },
    'packed-vite': { name: 'vite', version: '1.0.0', dev: true },
    'node_modules/ours': { resolved: 'packed-ours', link: true },
    'node_modules/vite': { resolved: 'packed-vite', link: true, dev: true },
  }
  write('package-lock.json', JSON.stringify({ name: 'small', lockfileVersion: 3, packages }))
  expect((await start()).output).toMatch(/^Installing packages.*\nready \n$/)
  expect(existsSync(at('node_modules/ours'))).toBe(true)
  expect(existsSync(at('node_modules/vite'))).toBe(false)
  // An operator's own `npm ci --omit=dev` is taken as it is.
  rmSync(at('node_modules/.mailstead-installed'))
  expect((await start()).output).toBe('ready \n')
})

test('two starts at once install and build once', async () => {
  const both = await Promise.all([start(), start()])
  for (const { output } of both) expect(output).toMatch(/ready \n$/)
  expect(both.filter(({ output }) => /^Installing/.test(output))).toHaveLength(1)
  // One for browsers, one for drawing pages in the server.
  expect(readFileSync(at('builds'), 'utf8')).toBe('xx')
})

test('no network is said in words', async () => {
  writeProject(
    { ms: '2.1.3' },
    { 'node_modules/ms': { version: '2.1.3', integrity: `sha512-${'A'.repeat(86)}==` } },
  )
  const { code, output } = await start()
  expect(code).toBe(1)
  expect(output).toMatch(
    /could not download its packages.*\n.*check your connection.*npm start again/,
  )
  expect(output).not.toMatch(/\n\s+at /)
  expect(output).not.toContain('ready')
})

test('a web app that does not build stops the start, and the last good one stays', async () => {
  await start()
  write('packed-vite/bin/vite.js', "console.error('main.tsx: no such page')\nprocess.exit(1)\n")
  write('web/main.tsx', 'export { page } from "./missing.tsx"\n')
  const { code, output } = await start()
  expect(code).toBe(1)
  expect(output).toBe(
    'Building the web app ...\nThe web app could not be built:\nmain.tsx: no such page\n',
  )
  expect(existsSync(at('.build/web/app.js.br'))).toBe(true)
})
