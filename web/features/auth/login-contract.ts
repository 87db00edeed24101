/** What the login form needs once somebody uses it. Apart, so that showing it carries no zod. */
import { zodResolver } from '@hookform/resolvers/zod'
import { loginForm } from '#contract/auth.ts'

export { login, startGoogle } from '#contract/auth.ts'
export const loginResolver = zodResolver(loginForm)
