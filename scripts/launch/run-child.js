/** Runs one command to its end and keeps what it printed. A signal for us ends it first. */
import { spawn } from 'node:child_process'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** @returns {Promise<{ code: number | null, output: string }>} code is null when the command could not be run or was killed */
export const runChild = (command, args, options) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
    let output = ''
    let stopped = null
    const keep = (chunk) => {
      output += chunk
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    const stop = (signal) => {
      stopped = signal
      child.kill('SIGTERM')
    }
    for (const signal of signals) process.on(signal, stop)
    const end = (code) => {
      for (const signal of signals) process.off(signal, stop)
      // Unwinds nothing on purpose: whatever was half done is found and redone by the next start.
      if (stopped !== null) process.exit(130)
      resolve({ code, output })
    }
    child.on('error', (error) => {
      output += error.message
      end(null)
    })
    child.on('close', end)
  })
