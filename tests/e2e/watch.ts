import type { Page } from "playwright-core";

/** Everything a developer's console would complain about: errors, warnings, blocked content, answers of 500 and above. */
export async function watch(page: Page): Promise<string[]> {
  const heard: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      hear(`${message.type()}: ${message.text()} (${page.url()})`);
  });
  page.on("pageerror", (error) => hear(`thrown: ${error.message} (${page.url()})`));
  page.on("response", (response) => {
    if (response.status() >= 500) hear(`${response.status()}: ${response.url()}`);
  });
  await page.exposeFunction("tellTest", (what: string) => hear(what));
  await page.addInitScript(() => {
    addEventListener(
      "securitypolicyviolation",
      ({ violatedDirective, blockedURI, sourceFile, lineNumber, columnNumber }) =>
        (globalThis as unknown as { tellTest: (what: string) => void }).tellTest(
          `blocked: ${violatedDirective} ${blockedURI} at ${sourceFile}:${lineNumber}:${columnNumber}`,
        ),
    );
  });
  return heard;

  function hear(what: string): void {
    if (!known.some((pattern) => pattern.test(what))) heard.push(what);
  }
}

// The processor renders here instead of a graphics card, which Chromium logs whenever pixels are read back.
const known = [/GPU stall due to ReadPixels/, /Automatic fallback to software WebGL/];
