/** Runs a program under Node 24 until it ends, as if it were this process. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { pathToFileURL } from 'node:url'
import { onStop } from './on-stop.js'
import { inRoot, root } from './paths.js'
import { tellSystemd } from './tell-systemd.js'
import { Plain } from './words.js'

/** A little longer than the program's own limit for a hanging stop. */
const END_WITHIN_MS = 10_500

/**
 * For glibc: otherwise each thread keeps its own memory arena, and the memory of large mails is never returned. Read only at the
 * start of a process.
 */
const frugal = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' }

/**
 * The program gets its own process group: otherwise a Ctrl+C would reach it from the terminal, from npm and from here. The
 * IPC channel closes when this process is killed, and follow-launcher.js then ends the program. The program says there that it is ready.
 * @returns {Promise<number>} its exit code
 */
export const runProgram = (node, program, args, endWithinMs = END_WITHIN_MS) =>
  new Promise((resolve, reject) => {
    // This process speaks for the service. A PostgreSQL that found the socket would say that all is ready.
    const { NOTIFY_SOCKET: _, ...environment } = process.env
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
        env: { NODE_COMPILE_CACHE: inRoot('.build', 'compile-cache'), ...frugal, ...environment },
      },
    )
    // The program has no terminal, so only this reaches a program that is too busy to handle a signal.
    const listenNoMore = onStop(
      (signal) => {
        tellSystemd('STOPPING=1')
        child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
      },
      () => child.kill('SIGKILL'),
      endWithinMs,
    )
    child.on('message', (message) => message === 'ready' && tellSystemd('READY=1'))
    child.on('error', (error) => reject(new Plain(`${node} could not be run: ${error.message}`)))
    child.on('exit', (code, signal) => {
      listenNoMore()
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
