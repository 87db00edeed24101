import { Download } from 'lucide-react'
import { Button } from '#web/ui/form/button.tsx'

type ZoneFileButtonProps = { onDownload: () => void; isPending: boolean; label?: string }

/** Downloads all records in one file, for providers that import it. */
export function ZoneFileButton({
  onDownload,
  isPending,
  label = 'Zone file',
}: ZoneFileButtonProps) {
  return (
    <Button variant="secondary" size="small" isPending={isPending} onClick={onDownload}>
      {!isPending && <Download aria-hidden />}
      {label}
    </Button>
  )
}
