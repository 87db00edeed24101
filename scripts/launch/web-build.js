/** Builds web/ into .build/web with Vite when a source changed, and compresses it once for every visitor. */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { inRoot, root } from './paths.js'
import { runChild } from './run-child.js'
import { Plain, say } from './words.js'

const target = inRoot('.build', 'web')
const stampFile = inRoot('.build', 'web.stamp')
const sources = ['web', 'contract', 'index.html', 'vite.config.ts', 'package-lock.json']

export const isWebFresh = () =>
  existsSync(target) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp()

/** Names, sizes and times, not contents: this runs at every start. */
const stamp = () => {
  const hash = createHash('sha256')
  for (const source of sources)
    for (const path of filesUnder(inRoot(source))) {
      const { size, mtimeMs } = statSync(path)
      hash.update(`${relative(root, path)} ${size} ${mtimeMs}\n`)
    }
  return hash.digest('hex')
}

const filesUnder = (path) => {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const child = join(path, entry.name)
    if (entry.isDirectory()) return filesUnder(child)
    return /\.test\.tsx?$/.test(entry.name) ? [] : [child]
  })
}

/** Under the install lock. */
export const buildWeb = async (node) => {
  say('Building the web app ...')
  const before = stamp()
  const fresh = `${target}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(inRoot('.build'), { recursive: true })
  const { code, output } = await runChild(
    node,
    [
      inRoot('node_modules', 'vite', 'bin', 'vite.js'),
      ...['build', '--logLevel', 'warn', '--outDir', fresh, '--emptyOutDir'],
    ],
    { cwd: root, env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', FORCE_COLOR: '0' } },
  )
  if (code !== 0) throw new Plain(`The web app could not be built:\n${withoutStack(output)}`)
  await Promise.all(filesUnder(fresh).map(compress))
  const old = `${target}.old`
  rmSync(old, { recursive: true, force: true })
  if (existsSync(target)) renameSync(target, old)
  renameSync(fresh, target)
  rmSync(old, { recursive: true, force: true })
  writeFileSync(stampFile, before)
}

const withoutStack = (output) => output.replace(/^\s+at .*\n?/gm, '').trim()

const compress = async (path) => {
  if (!/\.(js|css|html|svg|json|webmanifest|txt)$/.test(path)) return
  const bytes = await readFile(path)
  if (bytes.length < 1024) return
  const text = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }
  await Promise.all([
    promisify(gzip)(bytes, { level: 9 }).then((small) => writeFile(`${path}.gz`, small)),
    promisify(brotliCompress)(bytes, text).then((small) => writeFile(`${path}.br`, small)),
  ])
}
