/** npm run mutations: changes the web code at random and sees that a test turns red. `npm run mutations 20 7`: how many, and the seed. */
import { launch } from './launch/launch.js'

await launch('soak/mutations/main.ts', { browser: true })
