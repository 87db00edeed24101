/** Loaded before the program: ends the program cleanly when the launcher disappears (kill -9). */

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()

// A forked child would load this too, and lose its own IPC channel.
const at = process.execArgv.indexOf('--import')
if (at >= 0) process.execArgv.splice(at, 2)
