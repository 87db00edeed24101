import type { App } from '#server/app.ts'
import { isPublicAddress } from '#server/lib/network-guard.ts'

/**
 * Whom a greylist and block lists are for: clients from the Internet. The operator's own programs, on this machine or its
 * private network, are not on any list and may not know how to try again. In tests strangers live there too.
 */
export const isStranger = (app: App, ip: string): boolean =>
  isPublicAddress(ip) || app.config.allowLoopbackPeers
