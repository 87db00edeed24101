/** Runs a program under Node 24 until it ends, as if it were this process. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { pathToFileURL } from 'node:url'
import { onStop } from './on-stop.js'
import { inRoot, root } from './paths.js'
import { Plain } from './words.js'

/** A little longer than a program takes that ends itself when its end hangs. */
const END_WITHIN_MS = 10_500

/**
 * For glibc: else each thread keeps memory of its own, and what large mails took stays with the process for ever. Known only to a
 * process that starts with it.
 */
const frugal = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' }

/**
 * The program gets a process group of its own: a Ctrl+C otherwise reaches it from the terminal, from npm
 * and from here. The IPC channel tells it when this process was killed outright (follow-launcher.js).
 * @returns {Promise<number>} its exit code
 */
export const runProgram = (node, program, args, endWithinMs = END_WITHIN_MS) =>
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
        detached: true,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: { NODE_COMPILE_CACHE: inRoot('.build', 'compile-cache'), ...frugal, ...process.env },
      },
    )
    // It runs in no terminal, so nothing but this reaches a program that is too busy to hear a signal.
    const listenNoMore = onStop(
      (signal) => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal),
      () => child.kill('SIGKILL'),
      endWithinMs,
    )
    child.on('error', (error) => reject(new Plain(`${node} could not be run: ${error.message}`)))
    child.on('exit', (code, signal) => {
      listenNoMore()
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
