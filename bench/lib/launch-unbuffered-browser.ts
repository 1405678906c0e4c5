import type { Browser } from "playwright-core";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";

interface Session {
  send: (method: string, parameters?: object) => Promise<unknown>;
}

/**
 * Launches a browser whose pages and workers keep no copies of what they fetch. Playwright asks for these copies, so
 * that a test may read the body of a response, and Chromium then holds up to 200 MB of them in the process of the page:
 * a third of what a viewer takes. `response.body()` fails then, in every browser that this process launches afterwards.
 */
export async function launchUnbufferedBrowser(options: Parameters<typeof launchBrowser>[0] = {}): Promise<Browser> {
  const browser = await launchBrowser(options);
  // Playwright has no option for it. All its sessions share this prototype.
  const { _connection: connection } = browser as unknown as {
    _connection: { toImpl: (object: unknown) => { _session: Session } };
  };
  const sessions = Object.getPrototypeOf(connection.toImpl(browser)._session) as Session & { isUnbuffered?: true };
  if (!sessions.isUnbuffered) {
    const send = sessions.send;
    sessions.send = function (this: Session, method, parameters) {
      return send.call(this, method, method === "Network.enable" ? { ...parameters, ...noBuffers } : parameters);
    };
    sessions.isUnbuffered = true;
  }
  return browser;
}

const noBuffers = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };
