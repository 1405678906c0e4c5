import { sql } from "kysely";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { IdentityProvider } from "@arcada/testing/peers/identity-provider";
import { Product, freePort } from "@arcada/testing/setup/product-process";
import { signIn } from "./support/account-steps.ts";
import { withProductDatabase } from "./support/product-database.ts";
import { BrowserUser } from "./support/browser-user.ts";
import { present } from "@arcada/testing/require-present";

const account = "redirects@leaks.test";
const elsewhere = "elsewhere.example";
/** Addresses that would lead a browser to another site, or that it would run as a script. */
const hostile = [
  `https://${elsewhere}/`,
  `//${elsewhere}`,
  `///${elsewhere}`,
  `/\\${elsewhere}`,
  `\\\\${elsewhere}`,
  `/\t/${elsewhere}`,
  `/.//${elsewhere}`,
  `/x/..//${elsewhere}`,
  `https:${elsewhere}`,
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  `/redirect//${elsewhere}`,
];
let [browser, identityProvider, product]: [Browser?, IdentityProvider?, Product?] = [];
let closeProvider: () => Promise<void>;
beforeAll(async () => {
  const opened = await IdentityProvider.open();
  closeProvider = opened.close;
  const port = await freePort();
  const provider = { id: "house", label: "City Hospital", issuer: opened.address, clientId: "arcada" };
  product = new Product({
    OIDC_PROVIDERS: JSON.stringify([{ ...provider, clientSecret: "a-secret-of-the-house" }]),
    PUBLIC_URL: `http://localhost:${port}`,
    LOG_LEVEL: "info",
  });
  product.port = port;
  identityProvider = opened.createProvider(`http://localhost:${port}/v1/base/provider/callback`);
  [browser] = await Promise.all([launchBrowser(), product.start()]);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  await closeProvider?.();
});

it("T-11: no address redirects to another site, and no secret appears in an address, a Referer, a log or a table", async () => {
  const secrets = new Map<string, string>();
  const token = await product!.register(account, "clinicManager");
  const made = await product!.call(
    institutionCalls.create,
    { name: "Leaks", type: "clinic", country: "CN" },
    { token },
  );
  const { token: inside } = await product!.call(institutionCalls.switch, { iid: made.id }, { token });
  await product!.call(memberCalls.invite, { email: "guest@leaks.test", authorityId: 233 }, { token: inside });
  secrets.set("token of a script", token).set("token after a switch", inside);
  secrets.set("secret of an invitation", await invitationSecret());

  const person = await BrowserUser.open(present(browser), `http://localhost:${product!.port}`, "en");
  const asked: { url: string; referer: string }[] = [];
  let dialogs = 0;
  person.context.on("request", (request) =>
    asked.push({ url: request.url(), referer: request.headers()["referer"] ?? "" }),
  );
  person.context.on("dialog", (dialog) => ((dialogs += 1), void dialog.dismiss()));
  person.context.on("response", (response) => {
    const at = response.headers()["location"];
    const code = at && new URL(at, response.url()).searchParams.get("code");
    if (code && at.startsWith("/auth-redirect")) secrets.set(`exchange code ${secrets.size}`, code);
  });

  await person.goTo(`/invitation#${secrets.get("secret of an invitation")}`);
  await signIn(person, account);
  present(identityProvider).account = { sub: "ada", email: account, email_verified: true };
  let tried = 0;
  const away: string[] = [];
  for (const target of hostile)
    for (const at of [
      "/login?redirect=",
      "/auth-redirect?redirect=",
      "/v1/base/provider/start?provider=house&redirect=",
      "",
    ]) {
      // Without a redirect parameter, only a path of our own can be requested.
      if (at === "" && !target.startsWith("/redirect")) continue;
      // A user who is already signed in is asked whether to continue as the other account, and confirms.
      if (at.includes("provider")) await person.context.clearCookies({ name: "Admin-Token" });
      const address = at === "" ? target : at + encodeURIComponent(target);
      // The preceding page may still be navigating, which aborts this navigation; then it is repeated.
      await person.goTo(address).catch(() => person.goTo(address));
      await person.page.waitForFunction(() => !/^\/(login|auth-redirect|v1)/.test(location.pathname));
      await person.waitFor(person.page.getByRole("heading"));
      tried += 1;
      if (new URL(person.page.url()).hostname !== "localhost") away.push(`${at}${target}: ${person.page.url()}`);
    }
  for (const { name, value } of await person.context.cookies())
    if (["Admin-Token", "sid", "did", "provider"].includes(name)) secrets.set(`cookie ${name}`, value);

  const left = asked.filter(({ url }) => new URL(url).hostname === elsewhere);
  // The code is in the one address to which the browser is redirected, once. A Referer would pass it on repeatedly.
  const inAddress = [...secrets].filter(([name, secret]) =>
    asked.some(({ url, referer }) =>
      name.startsWith("exchange") ? referer.includes(secret) : (url + referer).includes(secret),
    ),
  );
  const seen = await person.page.evaluate(() => JSON.stringify([location.href, history.state, document.referrer]));
  const logged = [...secrets].filter(([, secret]) => product!.output.includes(secret) || seen.includes(secret));
  const kept = await searchTables(secrets);
  console.info(
    `T-11: ${tried} hostile redirects, ${away.length + left.length} led elsewhere, ${dialogs} ran; ${secrets.size} secrets: ` +
      `${inAddress.length} in addresses or Referers, ${logged.length} in logs or history, ${kept.tables.length} in tables of ${kept.searchedTables}`,
  );
  expect({ away, left, dialogs, inAddress, logged, tables: kept.tables }).toEqual({
    away: [],
    left: [],
    dialogs: 0,
    inAddress: [],
    logged: [],
    tables: [],
  });
  expect([...secrets.keys()].filter((name) => name.startsWith("exchange")).length).toBeGreaterThan(5);
}, 280_000);

async function invitationSecret(): Promise<string> {
  const found = () =>
    product!.listMessages().flatMap(({ text }) => /\/invitation#([\w-]{43})/.exec(text)?.[1] ?? [])[0];
  await expect.poll(found, { timeout: 30_000 }).toBeDefined();
  return found();
}

/** Searches every table of the database as text. Only outgoing emails hold their contents, for minutes. */
const searchTables = (secrets: ReadonlyMap<string, string>): Promise<{ searchedTables: number; tables: string[] }> =>
  withProductDatabase(product!, async (db) => {
    const { rows } = await sql<{ schema: string; name: string }>`select n.nspname as schema, c.relname as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = 'public' and has_table_privilege(c.oid, 'select')`.execute(
      db,
    );
    const tables: string[] = [];
    for (const { schema, name } of rows)
      for (const [what, secret] of secrets) {
        const found = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(`${schema}.${name}`)} t
          where position(${secret} in t::text) > 0`.execute(db);
        if (found.rows[0].n > 0) tables.push(`${what} in ${schema}.${name}`);
      }
    return { searchedTables: rows.length, tables };
  });
