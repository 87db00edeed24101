import { KeyRound, LogOut, UserRound } from 'lucide-react'
import { Link } from 'react-router'
import { endSession } from '#web/lib/api/end-session.ts'
import { useSession } from '#web/lib/api/session.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { HOLDERS_PASSWORD, paths } from '#web/paths.ts'
import { Avatar } from '#web/ui/data/avatar.tsx'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'

const logOut = () =>
  endSession().catch(() => {
    toastError('Failed to logout, please try again')
  })

export function AvatarMenu() {
  const session = useSession()
  if (session.status !== 'signed-in') return null
  const { user } = session
  return (
    <DropdownMenu
      className="w-56"
      trigger={
        <button type="button" aria-label="Account menu" className="rounded-full">
          <Avatar name={user.name} src={user.avatar} />
        </button>
      }
    >
      <MenuLabel>
        <span className="block truncate font-medium text-ink text-sm">{user.name}</span>
        <span className="block truncate">{user.email}</span>
      </MenuLabel>
      <MenuSeparator />
      <MenuItem asChild>
        {user.mailboxId ? (
          <Link to={{ pathname: paths.mailboxSettings(), hash: HOLDERS_PASSWORD }}>
            <KeyRound aria-hidden />
            Change password
          </Link>
        ) : (
          <Link to={paths.profile()}>
            <UserRound aria-hidden />
            Profile
          </Link>
        )}
      </MenuItem>
      <MenuItem onSelect={() => void logOut()}>
        <LogOut aria-hidden />
        Log out
      </MenuItem>
    </DropdownMenu>
  )
}
