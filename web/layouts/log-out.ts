import { endSession } from '#web/lib/api/end-session.ts'
import { toastError } from '#web/lib/toast-store.ts'

export const logOut = (): Promise<void> =>
  endSession().catch(() => {
    toastError('Failed to logout, please try again')
  })
