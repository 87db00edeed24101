import { UserPlus } from 'lucide-react'
import { useKeptState } from '#web/lib/kept-values.ts'
import { Button } from '#web/ui/form/button.tsx'
import { InviteDialog } from './invite-dialog.tsx'

export function InviteButton() {
  const [isOpen, setIsOpen] = useKeptState('inviting', false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <UserPlus aria-hidden />
        Invite
      </Button>
      {isOpen && <InviteDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}
