import { EllipsisVertical, ShieldOff, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { resetMemberFactor } from '#contract/account/factor-reset.ts'
import { type Role, role as roles } from '#contract/rights.ts'
import { changeRole, type Member, removeMember } from '#contract/workspaces.ts'
import { useWorkspace } from '#web/deletions/workspace-end.tsx'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import {
  DropdownMenu,
  MenuChoice,
  MenuItem,
  MenuLabel,
  MenuSeparator,
} from '#web/ui/overlay/dropdown-menu.tsx'
import { LeaveWorkspaceDialog } from './leave-workspace-card.tsx'

type Asked = { role: Role } | 'remove' | 'reset' | null

/** Changes the role of a member or removes them. A confirmation precedes changes that would lock the caller out. */
export function MemberMenu({ member }: { member: Member }) {
  const [asked, setAsked] = useState<Asked>(null)
  const workspace = useWorkspace()
  const change = useCall(changeRole, {
    onSuccess: ({ name, role }) => {
      setAsked(null)
      toast({ title: 'Role changed', description: `${name} is now ${role}.`, variant: 'success' })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  const setRole = (role: Role) => change.mutate({ params: { id: member._id }, body: { role } })
  const choose = (role: Role) => {
    if (role === member.role) return
    if (member.isYou) setAsked({ role })
    else setRole(role)
  }
  return (
    <>
      <DropdownMenu
        trigger={
          <Button
            variant="quiet"
            size="iconSmall"
            aria-label={`Actions for ${member.name}`}
            isPending={change.isPending}
          >
            {!change.isPending && <EllipsisVertical aria-hidden />}
          </Button>
        }
      >
        <MenuLabel>Type</MenuLabel>
        {roles.options.map((role) => (
          <MenuChoice key={role} isChecked={role === member.role} onSelect={() => choose(role)}>
            {role}
          </MenuChoice>
        ))}
        <MenuSeparator />
        {!member.isYou && (
          <MenuItem onSelect={() => setAsked('reset')}>
            <ShieldOff aria-hidden />
            Reset second factor
          </MenuItem>
        )}
        <MenuItem isDangerous onSelect={() => setAsked('remove')}>
          <UserMinus aria-hidden />
          {member.isYou ? 'Leave workspace' : 'Remove from workspace'}
        </MenuItem>
      </DropdownMenu>
      {asked === 'remove' && !member.isYou && (
        <RemoveMember member={member} onClose={() => setAsked(null)} />
      )}
      {asked === 'remove' && member.isYou && workspace && (
        <LeaveWorkspaceDialog workspaceId={workspace._id} onClose={() => setAsked(null)} />
      )}
      {asked === 'reset' && <ResetFactor member={member} onClose={() => setAsked(null)} />}
      {asked !== null && asked !== 'remove' && asked !== 'reset' && (
        <ConfirmDialog
          isOpen
          onOpenChange={(isOpen) => !isOpen && !change.isPending && setAsked(null)}
          title={`Make yourself ${asked.role}?`}
          description="You will no longer see these settings, and only another Admin can make you Admin again."
          confirmText={change.isPending ? 'Changing...' : `Become ${asked.role}`}
          isPending={change.isPending}
          onConfirm={() => setRole(asked.role)}
        />
      )}
    </>
  )
}

function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const remove = useCall(removeMember, {
    onSuccess: () => {
      onClose()
      toast({
        title: 'User removed',
        description: member.name,
        variant: 'success',
      })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !remove.isPending && onClose()}
      title={`Remove ${member.name}?`}
      description={`${member.email} can no longer see the domains and mailboxes here, or read their mail. Nothing else is deleted.`}
      confirmText={remove.isPending ? 'Removing...' : 'Remove'}
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ params: { id: member._id } })}
    />
  )
}

function ResetFactor({ member, onClose }: { member: Member; onClose: () => void }) {
  const reset = useCall(resetMemberFactor, {
    onSuccess: ({ message }) => {
      onClose()
      toast({ title: message, description: member.name, variant: 'success' })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !reset.isPending && onClose()}
      title={`Reset the second factor of ${member.name}?`}
      description={`Authenticator app, passkeys and recovery codes of ${member.email} end, and every session does. The password alone opens the account then: make sure who asks. They are told by a mail.`}
      confirmText={reset.isPending ? 'Resetting...' : 'Reset second factor'}
      isPending={reset.isPending}
      onConfirm={() => reset.mutate({ params: { id: member._id } })}
    />
  )
}
