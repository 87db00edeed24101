/**
 * Builds web/ with Vite when a source changed: .build/web for browsers, compressed once for all visitors, and .build/pages, which
 * draws pages in the server.
 */
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
import { inRoot, isRelease, root } from './paths.js'
import { runChild } from './run-child.js'
import { Plain, say } from './words.js'

const target = inRoot('.build', 'web')
const drawing = inRoot('.build', 'pages')
const stampFile = inRoot('.build', 'web.stamp')
const sources = ['web', 'contract', 'vite.config.ts', 'package-lock.json']

export const isWebFresh = () =>
  existsSync(target) && existsSync(drawing) && (isRelease || isOfTheseSources())

const isOfTheseSources = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp()

/** Names, sizes and times instead of contents, because this runs at every start. */
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

/** The caller holds the install lock. */
export const buildWeb = async (node) => {
  say('Building the web app ...')
  const before = stamp()
  mkdirSync(inRoot('.build'), { recursive: true })
  const web = await build(node, target, [])
  const pages = await build(node, drawing, ['--ssr', 'first-view/draw-page.tsx'])
  await Promise.all(filesUnder(web).map(compress))
  putInPlace(pages, drawing)
  putInPlace(web, target)
  writeFileSync(stampFile, before)
}

/** @returns the folder of the new build, next to its final place */
const build = async (node, place, options) => {
  const fresh = `${place}.new`
  rmSync(fresh, { recursive: true, force: true })
  const { code, output } = await runChild(
    node,
    [
      inRoot('node_modules', 'vite', 'bin', 'vite.js'),
      ...['build', ...options, '--logLevel', 'warn', '--outDir', fresh, '--emptyOutDir'],
    ],
    { cwd: root, env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', FORCE_COLOR: '0' } },
  )
  if (code !== 0) throw new Plain(`The web app could not be built:\n${withoutStack(output)}`)
  return fresh
}

const putInPlace = (fresh, place) => {
  const old = `${place}.old`
  rmSync(old, { recursive: true, force: true })
  if (existsSync(place)) renameSync(place, old)
  renameSync(fresh, place)
  rmSync(old, { recursive: true, force: true })
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
