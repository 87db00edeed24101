import { setFlagsFromString } from 'node:v8'

/**
 * Call once at the start of a process that ends with `process.exit`, which otherwise hangs now and then (Node 24): it waits for V8's compiling threads, and
 * Sparkplug's may be waiting for a collection by the main thread. Without them functions are compiled where they run.
 */
export const endSurely = (): void => setFlagsFromString('--no-concurrent-sparkplug')
