/** Tells systemd how this service is (sd_notify), where systemd runs it. Node has no datagram sockets, so a program of systemd does it. */
import { execFile } from 'node:child_process'

/** @param {'READY=1' | 'STOPPING=1'} state as in sd_notify(3): systemd-notify of Debian 12 has no option for the second */
export const tellSystemd = (state) => {
  if (process.env.NOTIFY_SOCKET === undefined) return
  execFile('systemd-notify', [state], (error) => {
    if (error) process.stderr.write(`systemd was not told ${state}: ${error.message}\n`)
  })
}
