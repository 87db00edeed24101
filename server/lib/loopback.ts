import { isIP } from 'node:net'

/** Does this name lead to the own machine, whoever looks it up? @param name as URLs hold it: IPv6 in brackets. */
export const isLoopback = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === '[::1]' ||
  (isIP(name) === 4 && name.startsWith('127.'))
