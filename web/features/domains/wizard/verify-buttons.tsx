import { Button } from '#web/ui/form/button.tsx'

type VerifyButtonsProps = {
  isVerified: boolean
  /** The records are known. */
  isReady: boolean
  isChecking: boolean
  onVerify: () => void
  onContinue: () => void
}

export function VerifyButtons(props: VerifyButtonsProps) {
  const { isVerified, isReady, isChecking, onVerify, onContinue } = props
  return (
    <>
      <Button
        variant={isVerified ? 'secondary' : 'primary'}
        disabled={!isReady || isVerified}
        isPending={isChecking && !isVerified}
        onClick={onVerify}
      >
        {isChecking && !isVerified ? 'Verifying...' : 'Verify'}
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
