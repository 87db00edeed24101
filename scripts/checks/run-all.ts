/** Runs the checks in parallel, then the suites one by one; prints a line for each. The last line is 'N passed, N failed'. */
import { changedSteps } from './changed.ts'
import { findDecisionFaults } from './decisions.ts'
import { findLicenceFaults, findLockFaults, readPackages } from './packages.ts'
import { findSizeFaults } from './sizes.ts'
import { findSpecificationFaults } from './specification.ts'
import { commandStep, faultStep, type Outcome, outcomeOf, type Step } from './step.ts'
import { storiesStep, unitTests } from './suites.ts'

const checks: Step[] = [
  commandStep('web build', 'scripts/build-web.js'),
  commandStep(
    'format and lint',
    'node_modules/@biomejs/biome/bin/biome',
    'check',
    '--error-on-warnings',
  ),
  commandStep('types', 'node_modules/ts7/bin/tsc', '-p', '.'),
  commandStep('dead code', 'node_modules/knip/bin/knip.js'),
  // For the suites, which would wait for it in the middle.
  commandStep('browser', 'scripts/find-browser.js'),
  faultStep('sizes', findSizeFaults),
  faultStep('licences', () => findLicenceFaults(readPackages())),
  faultStep('lock file', () => findLockFaults(readPackages())),
  faultStep('specification', findSpecificationFaults),
  faultStep('decisions', findDecisionFaults),
]
/** Each suite uses the whole machine. */
const suites: Step[] = [unitTests('unit'), storiesStep]

const run = async (step: Step): Promise<Outcome> => {
  const start = performance.now()
  const outcome = await step
    .run()
    .catch((error: unknown) => outcomeOf({ isOk: false, output: String(error) }))
  const { passed, failed, output } = outcome
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const counts = passed + failed > 1 ? `, ${passed} passed, ${failed} failed` : ''
  console.log(`${failed === 0 ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s${counts})`)
  if (failed > 0) console.log(output.trimEnd())
  return outcome
}

const wanted = process.argv.slice(2)
const steps = [...checks, ...suites]
const isOfChange = wanted[0] === 'changed'
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name))
if (unknown.length > 0 && !isOfChange) {
  console.log(
    `No such check: ${unknown.join(', ')}. There are: changed, ${steps.map((s) => s.name).join(', ')}`,
  )
  process.exit(1)
}

const isWanted = ({ name }: Step) => wanted.length === 0 || wanted.includes(name)
const outcomes = isOfChange
  ? await Promise.all(changedSteps(wanted[1] ?? 'HEAD').map(run))
  : await Promise.all(checks.filter(isWanted).map(run))
if (!isOfChange) for (const suite of suites.filter(isWanted)) outcomes.push(await run(suite))

const sum = { passed: 0, failed: 0, skipped: 0 }
for (const outcome of outcomes) {
  sum.passed += outcome.passed
  sum.failed += outcome.failed
  sum.skipped += outcome.skipped
}
for (const failure of outcomes.flatMap(({ failures = [] }) => failures))
  console.log(`failed: ${failure}`)
const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''
console.log(`${sum.passed} passed, ${sum.failed} failed${skipped}`)
process.exitCode = sum.failed === 0 ? 0 : 1
