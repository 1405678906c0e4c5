const everyMs = 15_000;

/** Runs the work, and writes a line about its progress at its start and then every 15 seconds. */
export async function withProgress<T>(
  log: (line: string) => void,
  describe: () => string,
  work: () => Promise<T>,
): Promise<T> {
  log(describe());
  const timer = setInterval(() => log(describe()), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
