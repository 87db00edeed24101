/** Prepares what every command needs: Node 24, the packages, the built web app. Does nothing when all are fresh. */
import { withLock } from './lock.js'
import { fetchNode, findNode } from './node-runtime.js'
import { arePackagesFresh, installPackages } from './packages.js'
import { inRoot } from './paths.js'
import { buildWeb, isWebFresh } from './web-build.js'
import { say } from './words.js'

/**
 * @param {{ web?: boolean }} [wanted] web: false skips the web build
 * @returns {Promise<string>} the path of the Node to run everything with
 */
export const prepare = async ({ web = true } = {}) => {
  const isWebReady = () => !web || isWebFresh()
  const node = findNode()
  if (node !== null && arePackagesFresh() && isWebReady()) return node
  const waiting = () => say('Another start is installing or building here; waiting for it ...')
  return withLock(inRoot('.runtime', 'install.lock'), waiting, async () => {
    const own = findNode() ?? (await fetchNode())
    if (!arePackagesFresh()) await installPackages(own)
    if (!isWebReady()) await buildWeb(own)
    return own
  })
}
