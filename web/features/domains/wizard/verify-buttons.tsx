import { Button } from '#web/ui/form/button.tsx'

type VerifyButtonsProps = {
  isVerified: boolean
  /** The records are known. */
  isReady: boolean
  isChecking: boolean
  /** Records that are not needed to go on may still be looked up. */
  canCheckMore?: boolean
  onVerify: () => void
  onContinue: () => void
}

export function VerifyButtons(props: VerifyButtonsProps) {
  const { isVerified, isReady, isChecking, canCheckMore = false, onVerify, onContinue } = props
  return (
    <>
      <Button
        variant={isVerified ? 'secondary' : 'primary'}
        disabled={!isReady || (isVerified && !canCheckMore)}
        isPending={isChecking}
        onClick={onVerify}
      >
        {isChecking ? 'Verifying...' : 'Verify'}
      </Button>
      <Button
        variant={isVerified ? 'primary' : 'secondary'}
        disabled={!isVerified}
        onClick={onContinue}
      >
        Continue
      </Button>
    </>
  )
}
