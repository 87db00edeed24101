/** A story that passed without one assertion shows nothing: such a run of Playwright has failed. */
import type { Reporter, TestCase, TestResult, TestStep } from '@playwright/test/reporter'

type Steps = readonly (Pick<TestStep, 'category'> & { steps: Steps })[]

/** What hooks and fixtures assert belongs to no story. */
export const hasAsserted = (steps: Steps): boolean =>
  steps.some(
    ({ category, steps: inner }) =>
      category === 'expect' || (!/hook|fixture/.test(category) && hasAsserted(inner)),
  )

// biome-ignore lint/style/noDefaultExport: Playwright takes no other
export default class implements Reporter {
  private readonly empty: string[] = []

  onTestEnd(test: TestCase, { status, steps }: TestResult): void {
    if (status === 'passed' && !hasAsserted(steps)) this.empty.push(test.titlePath().join(' › '))
  }

  async onEnd(): Promise<{ status: 'failed' } | undefined> {
    if (this.empty.length === 0) return undefined
    for (const title of this.empty) console.log(`passed, and asserted nothing:${title}`)
    return { status: 'failed' }
  }
}
