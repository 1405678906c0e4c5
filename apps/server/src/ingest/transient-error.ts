/** Returns the error if the file is not at fault, so that its task is tried again; null if the file is at fault. */
export function transientErrorMessage(error: unknown): string | null {
  const { code = "", message } = error as { code?: string; message?: string };
  if (code === "ENOSPC" || code === "EDQUOT") return "storageFull";
  return ["EMFILE", "ENFILE", "ENOENT", "EACCES", "EIO"].includes(code) ? (message ?? code) : null;
}
