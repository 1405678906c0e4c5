import type { Page } from "playwright-core";

/** Everything a developer's console would complain about: errors, warnings, blocked content, answers of 500 and above. */
export async function watchConsole(page: Page): Promise<string[]> {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      addProblem(`${message.type()}: ${message.text()} (${page.url()})`);
  });
  page.on("pageerror", (error) => addProblem(`thrown: ${error.message} (${page.url()})`));
  page.on("response", (response) => {
    if (response.status() >= 500) addProblem(`${response.status()}: ${response.url()}`);
  });
  await page.exposeFunction("tellTest", (what: string) => addProblem(what));
  await page.addInitScript(() => {
    addEventListener(
      "securitypolicyviolation",
      ({ violatedDirective, blockedURI, sourceFile, lineNumber, columnNumber }) =>
        (globalThis as unknown as { tellTest: (what: string) => void }).tellTest(
          `blocked: ${violatedDirective} ${blockedURI} at ${sourceFile}:${lineNumber}:${columnNumber}`,
        ),
    );
  });
  return problems;

  function addProblem(what: string): void {
    if (!knownMessages.some((pattern) => pattern.test(what))) problems.push(what);
  }
}

// The processor renders here instead of a graphics card, which Chromium logs whenever pixels are read back.
const knownMessages = [
  /GPU stall due to ReadPixels/,
  /Automatic fallback to software WebGL/,
  // Most journeys run without the service worker.
  /Service Worker registration blocked by Playwright/,
];
