/** The web app as another release builds it: every hashed file has another name, and names the others by theirs. */
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const OURS = join(import.meta.dirname, '../../..')
const HASH = /-([\w-]{8})\.(?=js|css|woff2)/

/** All hashed files of a build, by their address. */
export const assetsIn = (root = OURS): ReadonlyMap<string, Buffer> => {
  const folder = join(root, '.build/web/assets')
  const names = readdirSync(folder).filter((name) => !/\.(?:br|gz)$/.test(name))
  return new Map(names.map((name) => [`/assets/${name}`, readFileSync(join(folder, name))]))
}

export const buildOurs = (): void => {
  execFileSync(process.execPath, [join(OURS, 'scripts/build-web.js')], { stdio: 'ignore' })
}

/** `root`: of a tree that shares our build so far. */
export const buildOthers = (root: string): void => {
  const built = join(root, '.build')
  rmSync(built)
  cpSync(join(OURS, '.build/web'), join(built, 'web'), {
    recursive: true,
    // They would be of the other content.
    filter: (path) => !/\.(?:br|gz)$/.test(path),
  })
  symlinkSync(join(OURS, '.build/pages'), join(built, 'pages'))
  const assets = join(built, 'web/assets')
  const names = readdirSync(assets)
  const hashes = new Set(names.map((name) => HASH.exec(name)?.[1]))
  const renamed = (text: string) =>
    text.replaceAll(new RegExp(HASH, 'g'), (all, hash: string) =>
      hashes.has(hash) ? `-${[...hash].toReversed().join('')}.` : all,
    )
  const files = [join(built, 'web/manifest.json'), ...names.map((name) => join(assets, name))]
  for (const file of files) {
    const isText = !file.endsWith('.woff2')
    const content = readFileSync(file)
    const at = file.startsWith(assets) ? join(assets, renamed(file.slice(assets.length + 1))) : file
    rmSync(file)
    writeFileSync(at, isText ? renamed(content.toString('utf8')) : content)
  }
}
