import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as leaving from '#contract/account/leaving.ts'
import * as sessions from '#contract/account/sessions.ts'
import * as auth from '#contract/auth.ts'
import { AppError, sentenceOf } from '#contract/errors.ts'
import * as routes from '#contract/profile.ts'
import type { App } from '#server/app.ts'
import {
  changePassword,
  confirmPassword,
  openResetLink,
  setNewPassword,
} from '#server/features/accounts/change-password.ts'
import { editProfile, getProfile } from '#server/features/accounts/edit-profile.ts'
import { finishGoogle, startGoogle } from '#server/features/accounts/google-sign-in.ts'
import { logIn } from '#server/features/accounts/log-in.ts'
import { forgotPassword, resendMail } from '#server/features/accounts/mail-link.ts'
import { endSession, refreshSession } from '#server/features/accounts/refresh-session.ts'
import { endByLink, openSessionLink } from '#server/features/accounts/sessions/ending-link.ts'
import {
  endOtherSessions,
  endSession as endOwnSession,
  listSessions,
} from '#server/features/accounts/sessions/own-sessions.ts'
import { signUp } from '#server/features/accounts/sign-up.ts'
import type { Client } from '#server/features/accounts/start-session.ts'
import { verifyEmail } from '#server/features/accounts/verify-email.ts'
import { ownArchive } from '#server/features/exports/account-archive.ts'
import { getLeaving, leave, stay } from '#server/features/operating/leaving/leave-account.ts'
import { listPrograms } from '#server/features/programs/app-passwords.ts'
import {
  clearRefreshCookie,
  deviceTokenOf,
  keepDeviceToken,
  oauthBrowserOf,
  refreshTokenOf,
  setOauthCookie,
  setRefreshCookie,
  setSessionCookies,
  trustTokensOf,
} from '../exchange/cookies.ts'
import { serve, serveBytes } from '../exchange/serve.ts'
import { accessTokenOf, ipOf } from '../exchange/session.ts'
import { sendFile } from '../pages/web-files.ts'

const verifiedMessages = {
  VERIFIED: 'Email verified successfully',
  ALREADY_VERIFIED: sentenceOf('ALREADY_VERIFIED'),
  LINK_EXPIRED: 'Verification link has expired',
}

const CHANGED_ELSEWHERE = 'Your new email is in use from now on. Please log in with it'

export const clientOf = (app: App, request: FastifyRequest): Client => ({
  ip: ipOf(request),
  userAgent: request.headers['user-agent'] ?? '',
  deviceToken: deviceTokenOf(app, request),
  trustTokens: trustTokensOf(app, request),
})

export const registerAuthRoutes = (server: FastifyInstance, app: App): void => {
  registerAccountRoutes(server, app)
  registerSessionRoutes(server, app)
}

const registerAccountRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, auth.register, async ({ body }, _who, request, reply) => {
    // The cookie is set even when sign-up is refused: an unverified address is mailed again.
    await signUp(app, body, { ip: ipOf(request), token: keepDeviceToken(app, request, reply) })
    return { message: 'Verification email sent' }
  })

  serve(server, app, auth.resendVerifyEmail, async ({ body }, _who, request) => {
    await resendMail(app, { ...body, browserToken: deviceTokenOf(app, request), ip: ipOf(request) })
    return { message: 'If this address has an account, an email is on its way' }
  })

  serve(server, app, auth.forgotPassword, async ({ body }, _who, request) => {
    await forgotPassword(app, body.email, ipOf(request))
    return { message: 'If this address has an account, an email is on its way' }
  })

  serve(server, app, auth.setNewPassword, async ({ body }, _who, request, reply) => {
    await setNewPassword(app, body, ipOf(request))
    clearRefreshCookie(app, reply)
    return { message: 'Password updated successfully.' }
  })

  serve(server, app, auth.openResetLink, async ({ body }) => ({
    type: await openResetLink(app, body.session),
  }))

  serve(server, app, auth.verifyEmail, async ({ body }, _who, request, reply) => {
    const result = await verifyEmail(app, body.session, clientOf(app, request))
    if (result.type !== 'VERIFIED') {
      const { type, email, isChanged } = result
      return { type, message: isChanged ? CHANGED_ELSEWHERE : verifiedMessages[type], email }
    }
    const message = verifiedMessages.VERIFIED
    const { type, email, isChange, started } = result
    setSessionCookies(app, reply, started)
    return { type, message, email, isChange, ...started.answer }
  })
}

const registerSessionRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, auth.login, async ({ body }, _who, request, reply) => {
    const started = await logIn(app, body, clientOf(app, request))
    setSessionCookies(app, reply, started)
    return started.answer
  })

  serve(server, app, auth.logout, async (_input, _who, request, reply) => {
    requireOwnOrigin(app, request)
    await endSession(app, {
      refreshToken: refreshTokenOf(app, request),
      accessToken: accessTokenOf(request),
    })
    clearRefreshCookie(app, reply)
    return { message: 'Logged out' }
  })

  serve(server, app, auth.refresh, async (_input, _who, request, reply) => {
    requireOwnOrigin(app, request)
    try {
      const refreshed = await refreshSession(app, refreshTokenOf(app, request))
      setRefreshCookie(app, reply, refreshed.refreshToken, refreshed.expiresAt)
      return refreshed.answer
    } catch (error) {
      // A refused token stays refused; an unavailable database says nothing about the token.
      if (error instanceof AppError && error.type === 'REFRESH') clearRefreshCookie(app, reply)
      throw error
    }
  })

  serve(server, app, auth.verifyAccess, async (_input, who) => who.user)
}

/**
 * For requests that a cookie authenticates. Browsers send Origin with every POST, and most send Sec-Fetch-Site:
 * a request with neither comes from a program that was given the cookie.
 * @throws WRONG_ORIGIN
 */
export const requireOwnOrigin = (app: App, request: FastifyRequest): void => {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (origin === new URL(app.config.publicUrl).origin) return
  // Set only by the browser, so it is right behind a development server or another loopback name too.
  if (site === 'same-origin') return
  if (origin === undefined && site === undefined) return
  throw new AppError('WRONG_ORIGIN')
}

export const registerOauthRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, auth.startGoogle, async (_input, _who, request, reply) => {
    const { url, browserToken } = await startGoogle(app, oauthBrowserOf(app, request))
    setOauthCookie(app, reply, browserToken)
    return { url }
  })

  serve(server, app, auth.finishGoogle, async ({ query }, _who, request, reply) => {
    const started = await finishGoogle(
      app,
      query,
      oauthBrowserOf(app, request),
      clientOf(app, request),
    )
    setSessionCookies(app, reply, started)
    return started.answer
  })
}

export const registerOwnSessionsRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, sessions.listSessions, (_input, who) => listSessions(app, who))
  serve(server, app, sessions.listPrograms, (_input, who) => listPrograms(app, who))
  serve(server, app, sessions.endSession, async ({ params }, who) => {
    await endOwnSession(app, who, params.id)
    return { message: 'This session has ended' }
  })
  serve(server, app, sessions.endOtherSessions, async (_input, who) => ({
    ended: await endOtherSessions(app, who),
  }))
  serve(server, app, sessions.openEndingLink, ({ body }) => openSessionLink(app, body.session))
  serve(server, app, sessions.endSessionByLink, ({ body }) => endByLink(app, body.session))
}

export const registerLeavingRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, leaving.getLeaving, (_input, who) => getLeaving(app, who))
  serve(server, app, leaving.leave, ({ body }, who) => leave(app, who, body))
  serve(server, app, leaving.stay, (_input, who) => stay(app, who))
  serveBytes(server, app, leaving.exportAccount, async ({ body }, who, reply) => {
    await confirmPassword(app, who, body.password, 'password')
    const { filename, content } = await ownArchive(app, who.userId)
    return sendFile(reply, {
      ...{ filename, contentType: 'application/zip', content: Readable.from(content) },
    })
  })
}

export const registerProfileRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.getProfile, (_input, who) => getProfile(app, who))
  serve(server, app, routes.editProfile, ({ body }, who) => editProfile(app, who, body))
  serve(server, app, routes.changePassword, async ({ body }, who) => {
    await changePassword(app, who, body)
    return { message: 'Password updated successfully.' }
  })
}
