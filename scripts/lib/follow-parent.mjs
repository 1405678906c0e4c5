// Loaded before the program by --import: when the command that started it is gone, killed and unable to say so, the
// program is asked to stop, too.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
}, 1000).unref();
