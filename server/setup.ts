/** The last step of `npm run setup`: what a start would otherwise do in the program's folder, where its user may not write. */
import { linkRuntime } from './storage/embedded-postgres/runtime.ts'

linkRuntime()
