/** The operator's command in a process of its own, as `npm run operator` runs it. */
import { execFile } from 'node:child_process'

const { PATH = '', NODE_COMPILE_CACHE } = process.env

/** `DATA_DIR`: without it the command would look at an installation of this machine, and become its user. */
type Environment = { DATA_DIR: string; [setting: string]: string }

export const runOperator = (args: string[], environment: Environment) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      ['server/operator.ts', ...args],
      { env: { PATH, NODE_COMPILE_CACHE, ...environment } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
