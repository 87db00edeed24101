import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { PRODUCT_NAME } from '#web/lib/page-title.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

/** Once, after the first verified e-mail: the navigation that leads here says so. */
export function WelcomeDialog() {
  const { state } = useLocation()
  const navigate = useNavigate()
  const isAsked = (state as { showWelcomeModal?: unknown } | null)?.showWelcomeModal === true
  const [isOpen, setIsOpen] = useState(isAsked)
  useEffect(() => {
    if (!isAsked) return
    setIsOpen(true)
    // The flag outlives the visit in the browser's history: without it neither reload nor back welcomes again.
    void navigate('.', { replace: true, state: null })
  }, [isAsked, navigate])
  const close = () => setIsOpen(false)
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      title={`Welcome to ${PRODUCT_NAME}`}
      description="Add a domain, publish its records, and create mailboxes for your people. The dashboard shows the next step."
      footer={<Button onClick={close}>Lets go</Button>}
    />
  )
}
