/**
 * npm run mutations: changes the web code at random and checks that a test fails. `npm run mutations 20 7`: the number of
 * changes, and the seed.
 */
import { launch } from './launch/launch.js'

await launch('soak/mutations/main.ts', { browser: true })
