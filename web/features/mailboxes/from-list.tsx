import { Button } from '#web/ui/form/button.tsx'

type FromListProps = { question: string; onOpen: () => void }

/** In a dialog for a few mailboxes: the way to the import, which takes any number. */
export function FromList({ question, onOpen }: FromListProps) {
  return (
    <p className="text-soft text-sm">
      {question}{' '}
      <Button variant="link" size="inline" onClick={onOpen}>
        From a list
      </Button>
    </p>
  )
}
