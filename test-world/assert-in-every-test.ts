/** Set-up of every file of tests: one that ends without having asserted anything fails, also when it returned early (decision 055). */
import { beforeEach, expect } from 'vitest'

beforeEach(() => {
  expect.hasAssertions()
})
