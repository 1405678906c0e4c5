import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { smartCalls } from "@arcada/contract/smart/smart.calls";
import { SmartClient } from "@arcada/testing/clients/smart-client";
import type { StartedAuthorization } from "@arcada/testing/clients/smart-client";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { expect } from "vitest";
import { present } from "@arcada/testing/require-present";
import type { Product } from "@arcada/testing/setup/product-process";
import type { BrowserUser } from "./browser-user.ts";
import { signInHere } from "./account-steps.ts";
import { checkPage } from "./page-checks.ts";

/** The site of an app on another origin: empty pages, from which its script would ask the product. */
export class AppSite {
  readonly #server: Server;
  private constructor(server: Server) {
    this.#server = server;
  }
  static async open(): Promise<AppSite> {
    const server = createServer((_, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>App</title>"),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    return new AppSite(server);
  }
  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }
  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** A manager registers an app by the form; returns its client. */
export async function registerApp(
  manager: BrowserUser,
  { product, site, session }: { product: Product; site: AppSite; session: { token: string } },
): Promise<SmartClient> {
  await manager.goTo("/openInterface");
  await manager.button("smart.new").click();
  const dialog = manager.page.getByRole("dialog");
  await manager.field("smart.name", dialog).fill("Growth charts");
  await manager.field("smart.redirects", dialog).fill(site.url("/back"));
  await manager.field("smart.launchUrl", dialog).fill(site.url("/launch"));
  const scopes = "launch launch/patient patient/Task.rs\npatient/ServiceRequest.cruds offline_access";
  await manager.field("smart.scopes", dialog).fill(scopes);
  await dialog.locator("input[type=password]").fill(goodPassword);
  await checkPage(manager, "app-register", { alsoDark: true });
  await dialog.getByRole("button", { name: manager.t("smart.make"), exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
  await manager.waitFor(manager.text("smart.unused"));
  await checkPage(manager, "app-list");
  const [app] = await product.call(smartCalls.apps, {}, session);
  return new SmartClient(product.address, present(app).id, site.url("/back"));
}

/** The address that an app opens to be allowed something. */
export const authorizePath = ({ request }: StartedAuthorization): string =>
  `/authorizeApp?${new URLSearchParams(request as Record<string, string>)}`;

/** Exchanges the code from a page of the app: the browser must let another origin read the answer. */
export function exchangeInBrowser(
  person: BrowserUser,
  started: StartedAuthorization,
): Promise<{ access_token: string; patient?: string }> {
  return person.page.evaluate(
    async ({ address, verifier, request }) => {
      const body = new URLSearchParams({
        grant_type: "authorization_code",
        client_id: request.client_id,
        redirect_uri: request.redirect_uri,
        code: new URL(location.href).searchParams.get("code") ?? "",
        code_verifier: verifier,
      });
      const configuration = await fetch(`${address}/fhir/.well-known/smart-configuration`);
      const { token_endpoint: endpoint } = (await configuration.json()) as { token_endpoint: string };
      const tokens = (await (await fetch(endpoint, { method: "POST", body })).json()) as { access_token: string };
      // The header makes the browser ask in advance.
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      const tasks = await fetch(`${address}/fhir/Task`, { headers });
      if (!tasks.ok) throw new Error(`The page of the app got ${tasks.status}.`);
      return tokens;
    },
    { ...started, address: person.address },
  );
}

/** Ends everything that the person allowed an app, in the account. */
export async function disconnectAll(person: BrowserUser, app: string): Promise<void> {
  const ends = person.page.getByRole("button", { name: `${person.t("smart.mine.end")}: ${app}` });
  for (let left = await ends.count(); left > 0; left--) {
    await ends.first().click();
    await ends.nth(left - 1).waitFor({ state: "detached" });
  }
}

/** Opens an app from the menu of a patient; returns the code of the launch that the app gets. */
export async function openFromRecord(person: BrowserUser, app: string, patientId: string): Promise<string> {
  await person.goTo(`/patientDetail/page?id=${patientId}`);
  await person.button("patient.moreActions").click();
  await person.page.getByRole("menuitem", { name: person.t("smart.open", { app }) }).click();
  await person.page.waitForURL((url) => url.pathname === "/launch" && url.searchParams.has("iss"));
  return new URL(person.page.url()).searchParams.get("launch") ?? "";
}

/** Somebody who is not signed in comes from an app, signs in, chooses a patient and allows what the app asks for. */
export async function allowAfterSignIn(
  person: BrowserUser,
  started: StartedAuthorization,
  { email, patient }: { email: string; patient: string },
): Promise<void> {
  await person.goTo(authorizePath(started));
  await person.waitFor(person.field("account.account"));
  // Nothing of the request stays in the address of the sign-in page.
  expect(decodeURIComponent(person.page.url())).toBe(`${person.address}/login?redirect=/authorizeApp/decide`);
  await signInHere(person, email);
  await person.waitFor(person.text("smart.consent.choose"));
  expect(await person.button("smart.consent.allow").isDisabled()).toBe(true);
  await person.page.getByRole("radio", { name: patient }).check();
  await checkPage(person, "app-consent", { alsoDark: true });
  await person.button("smart.consent.allow").click();
  await person.page.waitForURL((url) => url.pathname === "/back");
}
