/** Copies a text to the clipboard; returns false if the browser does not allow it. */
export const copy = async (text: string): Promise<boolean> => (await byClipboard(text)) || byCommand(text);

/** Pages over http, as in many a clinic's own network, have no clipboard API. */
async function byClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The deprecated execCommand, without a selection, so that no dialog loses its focus. */
function byCommand(text: string): boolean {
  let isTaken = false;
  const give = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
    isTaken = event.clipboardData !== null;
  };
  document.addEventListener("copy", give, { once: true });
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else copies on a page over http
    return document.execCommand("copy") && isTaken;
  } finally {
    document.removeEventListener("copy", give);
  }
}
