/** Calls npm, and turns its failures into sentences. */
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { runChild } from './run-child.js'
import { fileFault, Plain } from './words.js'

const quiet = [
  '--no-audit',
  '--no-fund',
  '--ignore-scripts',
  '--loglevel=error',
  '--prefer-offline',
  // npm's default retries take more than a minute when there is no network.
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=4000',
]

/**
 * @param {string[]} args
 * @param {{ node: string, cwd: string }} where node runs npm; it also comes first on PATH
 */
export const runNpm = async (args, { node, cwd }) => {
  const npm = findNpm()
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` }
  // Settings of a surrounding `npm start` that would change the install location.
  for (const name of ['npm_config_global', 'npm_config_prefix', 'npm_config_local_prefix'])
    delete env[name]
  const { code, output } = await runChild(node, [npm, ...args, ...quiet], { cwd, env })
  if (code !== 0) throw sentenceFor(output)
}

const findNpm = () => {
  const near = dirname(process.execPath)
  const candidates = [
    process.env.npm_execpath ?? '',
    ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'npm')),
    join(near, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(near, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ]
  for (const candidate of candidates) {
    if (!existsSync(candidate)) continue
    const path = realpathSync(candidate)
    if (path.endsWith('npm-cli.js')) return path
  }
  throw new Plain(
    'Mailstead needs npm, which was not found. Please install it, with Node 18 or later.',
  )
}

const offline =
  /\b(ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ENETDOWN|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT)\b/

export const sentenceFor = (output) => {
  if (offline.test(output))
    return new Plain(
      'Mailstead could not download its packages: the npm registry cannot be reached.\n' +
        'Please check your connection and the registry setting (npm config get registry), and run npm start again.',
    )
  if (/\b(E404|ETARGET)\b/.test(output))
    return new Plain(
      'Mailstead could not download its packages: the npm registry in use does not have all of them.\n' +
        `Please check the registry setting (npm config get registry).\n${lastLines(output)}`,
    )
  return (
    fileFault({ message: output }) ??
    new Plain(`npm could not install the packages. Its last words:\n${lastLines(output)}`)
  )
}

const lastLines = (output) => output.trim().split('\n').slice(-12).join('\n')
