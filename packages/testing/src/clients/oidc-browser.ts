import type { TestServer } from "../setup/test-server.ts";

/** A browser: cookies by host, and redirects that it follows until it would show one of our pages. */
export class OidcBrowser {
  readonly #here: TestServer;
  readonly #jars = new Map<string, Map<string, string>>();
  constructor(here: TestServer) {
    this.#here = here;
  }
  async open(address: string, stopAt = /\/(auth-redirect|login)\?/): Promise<URL> {
    let at = new URL(address, this.#here.address);
    for (let hop = 0; hop < 12; hop++) {
      if (stopAt.test(at.href)) return at;
      const response = await fetch(at, {
        redirect: "manual",
        headers: { cookie: this.cookieFor(at), accept: "text/html" },
      });
      for (const one of response.headers.getSetCookie()) this.storeCookie(at, one);
      const location = response.headers.get("location");
      if (!location) throw new Error(`${at.pathname} answered ${response.status}: ${await response.text()}`);
      at = new URL(location, at);
    }
    throw new Error("redirected for ever");
  }
  storeCookie(at: URL, line: string): void {
    const [pair = ""] = line.split(";");
    const [name = "", value = ""] = pair.split("=");
    const jar = this.#jars.get(at.host) ?? new Map<string, string>();
    this.#jars.set(at.host, jar.set(name, value));
  }
  cookieFor(at: URL): string {
    return [...(this.#jars.get(at.host) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
  }
  exchangeCode(at: URL) {
    return this.#here.ask("account.exchange", { code: at.searchParams.get("code") }, { cookie: this.cookieFor(at) });
  }
}
