/** The common part of every command: prepares what its program needs, runs it on our Node, and exits with its exit code. */
import { findChromium } from './chromium.js'
import { inRoot } from './paths.js'
import { prepare } from './prepare.js'
import { runProgram } from './run-program.js'
import { endWith } from './words.js'

/**
 * @param {string} program below the root, with slashes
 * @param {{ web?: boolean, browser?: boolean, args?: string[] }} needs the built web app; Chromium, named in
 *   CHROMIUM_PATH; `args` for the program, else those of the command
 */
export const launch = async (program, needs = {}) => {
  const { web = false, browser = false, args = process.argv.slice(2) } = needs
  try {
    const node = await prepare({ web })
    if (browser) process.env.CHROMIUM_PATH = await findChromium()
    process.exitCode = await runProgram(node, inRoot(...program.split('/')), args)
  } catch (error) {
    endWith(error)
  }
}
