import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { chosenWorkspace } from '#web/lib/api/chosen-workspace.ts'
import { useWorkspaces } from '#web/lib/api/use-can.ts'
import { toast } from '#web/lib/toast-store.ts'

/**
 * Keeps this tab in its workspace when another tab switches; when the user is no longer in it, the server
 * chooses one that is theirs.
 */
export function useTabWorkspace(): void {
  const client = useQueryClient()
  const { data, error } = useWorkspaces()
  const currentId = data?.find((workspace) => workspace.isCurrent)?._id
  const isLost = error?.type === 'NOT_EXISTS'
  useEffect(() => {
    if (currentId && chosenWorkspace.read() === null) chosenWorkspace.choose(currentId)
  }, [currentId])
  useEffect(() => {
    if (!isLost || chosenWorkspace.read() === null) return
    chosenWorkspace.forget()
    toast({ title: 'You are no longer in this workspace' })
    void client.resetQueries()
  }, [isLost, client])
}
