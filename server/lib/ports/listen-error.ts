import { StartError } from '../start-error.ts'

export type ListenSettings = {
  /** Names of the settings. */
  portSetting: string
  hostSetting: string
  port: number
  host: string
}

/** Says in a sentence why a port could not be opened, and by which setting to change that. Other errors pass. */
export const explainListenError = (error: unknown, at: ListenSettings): unknown => {
  const { portSetting, hostSetting, port, host } = at
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartError(
        `${portSetting} is ${port}, but another program already uses that port on ${host}. Please choose another with ${portSetting}.`,
      )
    case 'EACCES':
      return new StartError(
        `${portSetting} is ${port}, which this user may not open. Please choose one above 1023 with ${portSetting}, start as root (Mailstead then becomes RUN_AS), or allow it with: sysctl net.ipv4.ip_unprivileged_port_start=${port}`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(
        `${hostSetting} is ${host}, which is not an address of this computer. Please choose another with ${hostSetting}.`,
      )
    default:
      return error
  }
}
