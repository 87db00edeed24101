/** Runs one command to its end and returns its output. A signal to this process ends the command first. */
import { spawn } from 'node:child_process'
import { onStop } from './on-stop.js'

const END_WITHIN_MS = 10_000

/** @returns {Promise<{ code: number | null, output: string }>} code is null when the command could not be run or was killed */
export const runChild = (command, args, options) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
    let output = ''
    let isStopped = false
    const keep = (chunk) => {
      output += chunk
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    const stop = () => {
      isStopped = true
      child.kill('SIGTERM')
    }
    const insist = () => {
      child.kill('SIGKILL')
      process.exit(130)
    }
    const listenNoMore = onStop(stop, insist, END_WITHIN_MS)
    const end = (code) => {
      listenNoMore()
      // Cleans nothing up on purpose: the next start detects and repeats unfinished work.
      if (isStopped) process.exit(130)
      resolve({ code, output })
    }
    child.on('error', (error) => {
      output += error.message
      end(null)
    })
    child.on('close', end)
  })
