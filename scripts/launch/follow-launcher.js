/** Loaded before the program: when the launcher vanishes without a word (kill -9), ends the program cleanly. */

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()

// What the program forks would load this too, and lose the channel by which it is told what to do.
const at = process.execArgv.indexOf('--import')
if (at >= 0) process.execArgv.splice(at, 2)
