/** Second factors, passkeys and the confirmation of a session. */
import type { FastifyInstance } from 'fastify'
import { resetHolderFactor, resetMemberFactor } from '#contract/account/factor-reset.ts'
import * as passkeys from '#contract/account/passkeys.ts'
import * as rules from '#contract/account/required-factor.ts'
import * as factors from '#contract/account/second-factor.ts'
import type { App } from '#server/app.ts'
import {
  beginConfirming,
  confirmRecent,
} from '#server/features/accounts/confirming/recent-sign-in.ts'
import {
  beginPasskeySignInFor,
  finishPasskeySignIn,
  finishSecondStep,
} from '#server/features/accounts/confirming/second-step.ts'
import { browserName } from '#server/features/accounts/notices/browser-name.ts'
import { endOthersIn } from '#server/features/accounts/sessions/own-sessions.ts'
import {
  type FactorOwner,
  makeRecoveryCodesAnew,
  type Person,
} from '#server/features/factors/change-factors.ts'
import {
  beginPasskeyFor,
  deletePasskeyOf,
  keepPasskey,
  renamePasskeyOf,
} from '#server/features/factors/keep-passkeys.ts'
import { endTrustIn, readSecondFactor } from '#server/features/factors/read-factors.ts'
import { beginTotpFor, confirmTotpFor, removeTotpOf } from '#server/features/factors/set-up-totp.ts'
import {
  listPeopleWithout,
  readFactorRule,
  saveFactorRuleOf,
} from '#server/features/members/require-factor.ts'
import { resetHolderFactorOf, resetMemberFactorOf } from '#server/features/members/reset-factor.ts'
import { requireFactorOfAll } from '#server/features/operating/require-factor.ts'
import { addTrustToken, keepDeviceToken, setSessionCookies } from '../exchange/cookies.ts'
import { type Caller, serve } from '../exchange/serve.ts'
import { ipOf } from '../exchange/session.ts'
import { clientOf } from './auth-routes.ts'

export const registerFactorRoutes = (server: FastifyInstance, app: App): void => {
  registerSecondSteps(server, app)
  registerOwnFactors(server, app)
  registerPasskeys(server, app)
  registerResets(server, app)
  registerRules(server, app)
}

const registerSecondSteps = (server: FastifyInstance, app: App): void => {
  serve(server, app, factors.answerSecondFactor, async ({ body }, _who, request, reply) => {
    const client = clientOf(app, request)
    const { started, trustToken } = await finishSecondStep(app, body, client)
    if (trustToken !== null) addTrustToken(app, request, reply, trustToken)
    setSessionCookies(app, reply, started)
    return started.answer
  })

  serve(server, app, passkeys.beginPasskeySignIn, (_input, _who, request, reply) =>
    beginPasskeySignInFor(app, keepDeviceToken(app, request, reply), ipOf(request)),
  )

  serve(server, app, passkeys.signInByPasskey, async ({ body }, _who, request, reply) => {
    const started = await finishPasskeySignIn(app, body, clientOf(app, request))
    setSessionCookies(app, reply, started)
    return started.answer
  })

  serve(server, app, factors.beginStepUp, (_input, who) => beginConfirming(app, who))
  serve(server, app, factors.stepUp, async ({ body }, who) => {
    await confirmRecent(app, who, body)
    return { message: 'Confirmed' }
  })
}

const personOf = ({ user, sessionId }: Caller): Person => ({ ...user, sessionId })

const ownerOf = (app: App, who: Caller): FactorOwner => ({
  ...personOf(who),
  endOthers: (tx) => endOthersIn(app, tx, who),
})

const registerOwnFactors = (server: FastifyInstance, app: App): void => {
  serve(server, app, factors.getSecondFactor, (_input, { userId }) =>
    readSecondFactor(app, userId, browserName),
  )
  serve(server, app, factors.beginTotp, (_input, who) => beginTotpFor(app, personOf(who)))
  serve(server, app, factors.confirmTotp, async ({ body }, who) => ({
    recoveryCodes: await confirmTotpFor(app, ownerOf(app, who), body.code),
  }))
  serve(server, app, factors.removeTotp, async (_input, who) => {
    await removeTotpOf(app, personOf(who))
    return { message: 'The authenticator app was removed' }
  })
  serve(server, app, factors.makeRecoveryCodes, async (_input, who) => ({
    recoveryCodes: await makeRecoveryCodesAnew(app, personOf(who)),
  }))
  serve(server, app, factors.endTrustedBrowser, async ({ params }, { userId }) => {
    await endTrustIn(app, userId, params.id)
    return { message: 'This browser is not trusted any more' }
  })
}

const registerResets = (server: FastifyInstance, app: App): void => {
  serve(server, app, resetMemberFactor, async ({ params }, who) => {
    await resetMemberFactorOf(app, who, params.id)
    return { message: 'The second factor was reset' }
  })
  serve(server, app, resetHolderFactor, async ({ params }, who) => {
    await resetHolderFactorOf(app, who, params.id)
    return { message: 'The second factor was reset' }
  })
}

const registerRules = (server: FastifyInstance, app: App): void => {
  serve(server, app, rules.getFactorRule, (_input, { workspaceId }) =>
    readFactorRule(app.db, workspaceId),
  )
  serve(server, app, rules.saveFactorRule, ({ body }, who) =>
    saveFactorRuleOf(app, who, body.graceDays),
  )
  serve(server, app, rules.listWithoutFactor, ({ query }, { workspaceId }) =>
    listPeopleWithout(app.db, workspaceId, query),
  )
  serve(server, app, rules.getInstallationFactorRule, () => readFactorRule(app.db, null))
  serve(server, app, rules.saveInstallationFactorRule, ({ body }, { user }) =>
    requireFactorOfAll(app, user.email, user._id, body.graceDays),
  )
  serve(server, app, rules.listAllWithoutFactor, ({ query }) =>
    listPeopleWithout(app.db, null, query),
  )
}

const registerPasskeys = (server: FastifyInstance, app: App): void => {
  serve(server, app, passkeys.beginPasskey, (_input, who) => beginPasskeyFor(app, personOf(who)))
  serve(server, app, passkeys.addPasskey, ({ body }, who) =>
    keepPasskey(app, ownerOf(app, who), body),
  )
  serve(server, app, passkeys.renamePasskey, async ({ params, body }, { userId }) => {
    await renamePasskeyOf(app, userId, params.id, body.name)
    return { message: 'The passkey was renamed' }
  })
  serve(server, app, passkeys.deletePasskey, async ({ params }, who) => {
    await deletePasskeyOf(app, personOf(who), params.id)
    return { message: 'The passkey was deleted' }
  })
}
