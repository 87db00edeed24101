/**
 * Makes a typed client of the API in examples/client, from the OpenAPI document of an installation:
 *
 *   node examples/generate-client.ts https://mail.example.net
 */
import { createClient } from '@hey-api/openapi-ts'

/** `document`: the OpenAPI document, or its address. */
export const generateClient = (document: string | Record<string, unknown>, folder: string) =>
  createClient({
    input: document as string,
    output: { path: folder, clean: true, module: { extension: '.ts' } },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'error' },
  })

if (import.meta.main) {
  const installation = process.argv[2] ?? 'http://localhost:8080'
  const folder = new URL('client', import.meta.url).pathname
  await generateClient(new URL('/api/v1/openapi.json', installation).href, folder)
  console.log(`The client is in ${folder}`)
}
