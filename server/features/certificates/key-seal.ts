/** Binds the encrypted key of a certificate to its name. */
export const keySealContext = (name: string): string => `certificate:${name}`
