/** Programs call these addresses, whatever the version: their answers are JSON, errors too. */
export const isApi = (path: string): boolean => /^\/api(?:[/?]|$)/.test(path)
