/** Paths from the root of the project. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const inRoot = (...parts) => join(root, ...parts)

/** A release has the built web app in place of its sources, and needs no package that only builds or tests (decision 105). */
export const isRelease = !existsSync(inRoot('web'))
