/** Loaded before the program: when the launcher vanishes without a word (kill -9), ends the program cleanly. */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
