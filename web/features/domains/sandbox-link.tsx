import { FlaskConical } from 'lucide-react'
import { Link } from 'react-router'
import { getInstallation } from '#contract/installation.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'

type SandboxLinkProps = {
  id: string
  /** The step of the wizard to return to. */
  step: number
  size?: 'small' | 'medium'
}

/** Link to the DNS editor of the demo. Renders nothing on other installations. */
export function SandboxLink({ id, step, size }: SandboxLinkProps) {
  const installation = useApi(getInstallation, {}, { staleTime: Number.POSITIVE_INFINITY })
  if (!installation.data?.sandboxDns) return null
  return (
    <Button variant="secondary" size={size} asChild>
      <Link to={paths.sandboxDns({ id })} state={{ step }}>
        <FlaskConical aria-hidden />
        Sandbox DNS
      </Link>
    </Button>
  )
}
