/** Runs a program under Node 24 until it ends, as if it were this process. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { pathToFileURL } from 'node:url'
import { inRoot, root } from './paths.js'
import { Plain } from './words.js'

/** npm runs us through a shell, and a SIGTERM for npm ends the shell without a word to us. */
const shellOfNpm = process.env.npm_lifecycle_event === undefined ? null : process.ppid

/**
 * The program gets a process group of its own: a Ctrl+C otherwise reaches it from the terminal, from npm
 * and from here. The IPC channel tells it when this process was killed outright (follow-launcher.js).
 * @returns {Promise<number>} its exit code
 */
export const runProgram = (node, program, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(
      node,
      [
        '--import',
        pathToFileURL(inRoot('scripts', 'launch', 'follow-launcher.js')).href,
        program,
        ...args,
      ],
      {
        cwd: root,
        detached: process.platform !== 'win32',
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: { NODE_COMPILE_CACHE: inRoot('.build', 'compile-cache'), ...process.env },
      },
    )
    let toldAt = 0
    const pass = (signal) => {
      // One Ctrl+C may arrive here several times. The server needs at most 20 s to end; then it hangs.
      if (toldAt === 0) child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
      else if (Date.now() - toldAt > 21_000) child.kill('SIGKILL')
      toldAt = toldAt || Date.now()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass)
    const watch = setInterval(() => {
      if (shellOfNpm === null || process.ppid === shellOfNpm) return
      clearInterval(watch)
      pass('SIGTERM')
    }, 500)
    watch.unref()
    child.on('error', (error) => reject(new Plain(`${node} could not be run: ${error.message}`)))
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
