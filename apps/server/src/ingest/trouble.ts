/** What happened where it is no fault of the file, so that its task is to be tried again; null where it is. */
export function troubleOf(error: unknown): string | null {
  const { code = "", message } = error as { code?: string; message?: string };
  if (code === "ENOSPC" || code === "EDQUOT") return "storageFull";
  return ["EMFILE", "ENFILE", "ENOENT", "EACCES", "EIO"].includes(code) ? (message ?? code) : null;
}
