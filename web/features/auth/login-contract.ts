/** What the login form needs when it is submitted. A module of its own, so that showing the form loads no zod. */
import { zodResolver } from '@hookform/resolvers/zod'
import { loginForm } from '#contract/auth.ts'

export { login, startGoogle } from '#contract/auth.ts'
export const loginResolver = zodResolver(loginForm)
