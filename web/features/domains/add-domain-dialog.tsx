import { Globe, ShoppingBag } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { type RadioCard, RadioCards } from '#web/ui/form/radio-cards.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

type Choice = 'new' | 'pre'

const choices: readonly RadioCard<Choice>[] = [
  {
    value: 'new',
    title: 'New Register Domain',
    description: 'Registering is not offered here: get the name from a registrar, then add it.',
    icon: ShoppingBag,
  },
  {
    value: 'pre',
    title: 'Pre-Register Domain',
    description: 'You already own the name and can edit its DNS records.',
    icon: Globe,
  },
]

export function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [choice, setChoice] = useState<Choice | null>(null)
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="Add domain"
      description="Select one of the domain to continue"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={choice !== 'pre'} onClick={() => navigate(paths.addDomain())}>
            Continue
          </Button>
        </>
      }
    >
      <RadioCards aria-label="Domain" value={choice} onValueChange={setChoice} cards={choices} />
    </Dialog>
  )
}
