import { useEffect, useState } from 'react'
import type { Installation } from '#contract/installation.ts'
import { INSTALLATION_PATH } from '#contract/route.ts'
import { open } from '#web/lib/api/api.ts'

let asked: Promise<Installation> | null = null

async function ask(): Promise<Installation> {
  const response = await open(INSTALLATION_PATH, { isForAnyone: true })
  return response.json()
}

/** One request per visit. A failure is not cached, so that the next page asks again. */
export function readInstallation(): Promise<Installation> {
  asked ??= ask().catch((error: unknown) => {
    asked = null
    throw error
  })
  return asked
}

/** Returns what this installation offers; null while loading. */
export function useInstallation(): Installation | null {
  const [installation, setInstallation] = useState<Installation | null>(null)
  useEffect(() => {
    let isHere = true
    readInstallation().then(
      (answer) => isHere && setInstallation(answer),
      // Signing in by password needs none of this, so the button stays enabled.
      () => undefined,
    )
    return () => {
      isHere = false
    }
  }, [])
  return installation
}
