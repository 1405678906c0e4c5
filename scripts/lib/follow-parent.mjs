// Loaded before the program by --import. If the command that started it is gone (killed, so that it could not send a
// signal), the program is asked to stop, too. It is asked once only: a second request means "at once", and would cut an
// orderly shutdown short.
const parent = process.ppid;
let wasAsked = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.once(signal, () => {
    wasAsked = true;
    // Without other listeners the signal must have its default effect.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  });

setInterval(() => {
  if (!wasAsked && process.ppid !== parent) process.kill(process.pid, "SIGTERM");
}, 1000).unref();
