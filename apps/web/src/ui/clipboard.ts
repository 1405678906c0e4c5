/** Copies a text to the clipboard; returns false if the browser does not allow it. */
export const copyToClipboard = async (text: string): Promise<boolean> =>
  (await writeToClipboard(text)) || copyByCommand(text);

/** Pages over http, as in many a clinic's own network, have no clipboard API. */
async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The deprecated execCommand, without a selection, so that no dialog loses its focus. */
function copyByCommand(text: string): boolean {
  let isCopied = false;
  const provideText = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
    isCopied = event.clipboardData !== null;
  };
  document.addEventListener("copy", provideText, { once: true });
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else copies on a page over http
    return document.execCommand("copy") && isCopied;
  } finally {
    document.removeEventListener("copy", provideText);
  }
}
