/** Every mistake that one click makes, in the order of the page. */
import type { SandboxZones } from '../../world/sandbox-zones.ts'
import { dkimMistakes } from './dkim-mistakes.ts'
import type { Mistake } from './mistake.ts'
import { dmarcMistakes, mxMistakes, ownershipMistakes } from './other-mistakes.ts'
import { spfMistakes } from './spf-mistakes.ts'
import { serverMistakes, zoneMistakes } from './zone-mistakes.ts'

export const allMistakes: readonly Mistake[] = [
  ...ownershipMistakes,
  ...spfMistakes,
  ...dkimMistakes,
  ...dmarcMistakes,
  ...mxMistakes,
  ...zoneMistakes,
  ...serverMistakes,
]

/** The mistakes that are possible here: some need a second name server, or a zone for this domain alone. */
export const mistakesAt = (zones: SandboxZones, domain: string): readonly Mistake[] => {
  const zone = zones.zoneOf(domain) ?? domain
  const hasSecondServer = zones.nameServersOf(zone).length > 1
  return allMistakes.filter(
    ({ id, needsSecondServer }) =>
      (hasSecondServer || !needsSecondServer) && (zone === domain || id !== 'zone-gone'),
  )
}
