/** npm run soak -- deploy: a release as an operator gets it, alone. */
import { tryDeployment } from '#test-world/trials/deploy/try-deployment.ts'

const { faults } = await tryDeployment()
for (const fault of faults) console.log(fault)
console.log(
  faults.length === 0 ? 'a release installs, upgrades and goes back' : 'not all went well',
)
process.exit(faults.length === 0 ? 0 : 1)
