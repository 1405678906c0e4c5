// Loaded before the program by --import: when the command that started it is gone, killed and unable to say so, the
// program is asked to stop, too. Once only: a second request means "at once", and would cut an orderly end short.
const parent = process.ppid;
let asked = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.once(signal, () => {
    asked = true;
    // Nobody else listens: what the signal does by itself shall happen.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  });

setInterval(() => {
  if (!asked && process.ppid !== parent) process.kill(process.pid, "SIGTERM");
}, 1000).unref();
