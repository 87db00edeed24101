/** A client for one installation: MAILSTEAD_URL says which, and MAILSTEAD_KEY who asks (an API key, or an access token). */
import { type Client, createClient } from './client/client/index.ts'

export const connect = (
  url = process.env.MAILSTEAD_URL ?? 'http://localhost:8080',
  key = process.env.MAILSTEAD_KEY ?? '',
): Client => createClient({ baseUrl: `${url}/api/v1`, auth: key })
