/** Passkeys are bound to the host of PUBLIC_URL (decision 116). */
import { passkeysOfOtherHosts } from '#server/features/factors/read-factors.ts'
import { type Check, good, wrong } from './finding.ts'

export const checkPasskeys: Check = async (app) => {
  const says = await passkeysOfOtherHosts(app)
  if (says === null) return [good('Every passkey is for the present address.')]
  return [
    wrong(
      says,
      'Set PUBLIC_URL back, or ask their owners to sign in another way and to add new ones.',
    ),
  ]
}
