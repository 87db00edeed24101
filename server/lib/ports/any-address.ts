import { networkInterfaces } from 'node:os'

/** All addresses of this machine, of both kinds where it has IPv6. */
export const anyAddress = (): string =>
  Object.values(networkInterfaces()).some((each) => each?.some(({ family }) => family === 'IPv6'))
    ? '::'
    : '0.0.0.0'
