/** The holder of a mailbox has no profile: the password is changed from the settings of the mailbox, at `#password`. */
import { Suspense } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useHolder } from '#web/lib/api/use-can.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { HOLDERS_PASSWORD } from '#web/paths.ts'

const PasswordDialog = lazyPart(
  async () => (await import('#web/features/profile/password-dialog.tsx')).PasswordDialog,
)

export function PasswordQuestion() {
  const holder = useHolder()
  const { hash, search } = useLocation()
  const navigate = useNavigate()
  if (!holder || hash !== `#${HOLDERS_PASSWORD}`) return null
  return (
    <Suspense>
      <PasswordDialog
        email={holder.email}
        hasPassword
        onClose={() => void navigate({ search, hash: '' }, { replace: true })}
      />
    </Suspense>
  )
}
