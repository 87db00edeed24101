/** The API client of this browser: same origin, token from the cookie, workspace of this tab. */
import { WORKSPACE_HEADER } from '#contract/route.ts'
import { noteAnswer } from '../online.ts'
import { browserTokens, chosenWorkspace } from './access-token.ts'
import { createClient } from './client.ts'
import { factorIsDue } from './factor-due.ts'
import { hasLeft, sessionEnded, sessionRenewed } from './session.ts'
import { askToConfirm } from './step-up.ts'

export const { call, open, refresh } = createClient({
  origin: '',
  tokens: browserTokens,
  headers: (): Record<string, string> => {
    const id = chosenWorkspace.read()
    return id ? { [WORKSPACE_HEADER]: id } : {}
  },
  hasLeft,
  onRefreshed: sessionRenewed,
  onRefreshFailed: sessionEnded,
  onStepUp: askToConfirm,
  onFactorDue: factorIsDue,
  onAnswer: noteAnswer,
})
