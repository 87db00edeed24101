/** One step of `npm test`: a check counts as one, a suite as its number of tests. */
import { type Ended, runCommand } from './run-command.ts'

export type Outcome = {
  passed: number
  failed: number
  skipped: number
  output: string
  /** The tests that failed, said once more at the end. */
  failures?: string[]
}
export type Step = { name: string; run: () => Promise<Outcome> }

export const outcomeOf = ({ isOk, output }: Ended): Outcome => ({
  passed: isOk ? 1 : 0,
  failed: isOk ? 0 : 1,
  skipped: 0,
  output,
})

/** A check that is a separate command; a script runs under node. */
export const commandStep = (name: string, script: string, ...args: string[]): Step => ({
  name,
  run: async () => outcomeOf(await runCommand(process.execPath, [script, ...args])),
})

/** A check in this process: the returned faults are its output. */
export const faultStep = (name: string, findFaults: () => string[]): Step => ({
  name,
  run: async () => {
    const faults = findFaults()
    return outcomeOf({ isOk: faults.length === 0, output: faults.join('\n') })
  },
})
