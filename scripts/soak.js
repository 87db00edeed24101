/**
 * npm run soak: the long trials. `npm run soak 20` kills twenty times instead of 200; a second number is the seed.
 * `npm run soak -- migration 100000`: an installation of that many mails from before decisions 086 to 088 is updated instead.
 * `npm run soak -- programs 1000`: the mail programs alone, with that many mails.
 * `npm run soak -- stripe 1000`: histories of payments by card alone, with a kill for every ten.
 * `npm run soak -- requests 100000 1`: that many spoilt requests of the OpenAPI document alone, from that seed.
 * `npm run soak -- guesses 20000`: that many guesses at the second factor of one account alone.
 * `npm run soak -- upgrade COMMIT`: from the version of that commit to this one under load, process by process, and back.
 * `npm run soak -- cluster 20 1`: a whole installation on seven hosts alone, in which something dies every 20 seconds or more, for that many minutes, in the order of that seed.
 * `npm run soak -- deploy`: a release alone, as a service, in a container and behind proxies.
 */
import { launch } from './launch/launch.js'

const [first, ...rest] = process.argv.slice(2)
if (first === 'migration') await launch('soak/migration/main.ts', { args: rest })
else if (first === 'programs') await launch('soak/mail-programs.ts', { web: true, args: rest })
else if (first === 'stripe') await launch('soak/stripe.ts', { args: rest })
else if (first === 'requests') await launch('soak/requests.ts', { args: rest })
else if (first === 'guesses') await launch('soak/guesses.ts', { args: rest })
else if (first === 'upgrade') await launch('soak/upgrade.ts', { web: true, args: rest })
else if (first === 'cluster') await launch('soak/cluster.ts', { args: rest })
else if (first === 'deploy') await launch('soak/deployment.ts', { web: true, args: rest })
else await launch('soak/main.ts', { web: true, browser: true })
