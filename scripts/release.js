/** npm run release: writes .build/mailstead-VERSION.tar.gz, with the built web app in place of its sources (decision 105). */
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { inRoot } from './launch/paths.js'
import { prepare } from './launch/prepare.js'
import { runChild } from './launch/run-child.js'
import { endWith, Plain, say } from './launch/words.js'

const parts = [
  ...['server', 'contract', 'scripts/launch', 'scripts/start.js', 'scripts/setup.js'],
  ...['scripts/operator.js', 'deploy', 'docs/operating', '.build/web', '.build/pages'],
  ...['package-lock.json', '.npmrc', 'tsconfig.json', 'README.md', 'CHANGELOG.md', 'LICENSE'],
]
/** The others need what is not in a release. */
const commands = ['start', 'setup', 'operator']

const release = async () => {
  await prepare()
  const project = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  const folder = inRoot('.build', 'release', `mailstead-${project.version}`)
  rmSync(dirname(folder), { recursive: true, force: true })
  for (const part of parts)
    cpSync(inRoot(part), `${folder}/${part}`, { recursive: true, filter: isForOperators })
  const scripts = Object.fromEntries(commands.map((name) => [name, project.scripts[name]]))
  writeFileSync(`${folder}/package.json`, `${JSON.stringify({ ...project, scripts }, null, 2)}\n`)
  const archive = inRoot('.build', `${basename(folder)}.tar.gz`)
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX']
  const { code, output } = await runChild('tar', [
    ...['-czf', archive, '-C', dirname(folder), ...owner, basename(folder)],
  ])
  if (code !== 0) throw new Plain(`tar could not write ${archive}:\n${output}`)
  rmSync(dirname(folder), { recursive: true })
  say(`${archive} (${(statSync(archive).size / 1e6).toFixed(1)} MB)`)
}

const isForOperators = (path) => !/\.test\.[jt]s$|[/\\]tests$/.test(path)

await release().catch(endWith)
