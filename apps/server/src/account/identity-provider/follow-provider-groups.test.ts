import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roles } from "@arcada/contract/kernel/roles";
import { IdentityProvider } from "@arcada/testing/peers/identity-provider";
import { OidcBrowser } from "@arcada/testing/clients/oidc-browser";
import { refusalOf } from "@arcada/testing/refusal-of";
import { freePort } from "@arcada/testing/setup/product-process";
import { getTestServer, setup, type TestServer, type TestUser } from "@arcada/testing/setup/test-server";
import { readConfig } from "../../platform/runtime/config.ts";

const [manager, member] = [roles.clinicAdmin.authorityId, roles.clinicMember.authorityId];
// The discovery of a provider is kept by its id, also for other files of the same worker.
const provider = {
  id: "house-with-groups",
  label: "The House",
  clientId: "arcada",
  clientSecret: "a-secret-of-the-house",
};

let env: TestServer;
let house: IdentityProvider;
let closes: () => Promise<void>;
const rules = [
  { group: "dentists", role: "clinicMember" },
  { group: "owners", role: "clinicAdmin" },
  { group: "technicians", role: "factoryMember" },
].map((rule) => ({ ...rule, organisation: "90000001" }));
beforeAll(async () => {
  const opened = await IdentityProvider.open();
  closes = opened.close;
  env = await getTestServer({
    PORT: String(await freePort()),
    OIDC_PROVIDERS: JSON.stringify([{ ...provider, issuer: opened.address, groupsClaim: "groups", groups: rules }]),
  });
  house = opened.createProvider(`${env.address}/v1/base/provider/callback`);
});
afterAll(() => closes());

/** A clinic with the number that the configuration names; only one at a time has it. */
async function createClinic(): Promise<TestUser> {
  const { clinic } = await setup();
  await env.running.database.asSystem(async (db) => {
    const free = String(10_000_000 + Math.floor(Math.random() * 9_000_000));
    await db.updateTable("institution").set({ number: free }).where("number", "=", "90000001").execute();
    await db.updateTable("institution").set({ number: "90000001" }).where("id", "=", clinic.iid).execute();
  });
  return clinic;
}
let nextPerson = 1;
const newPerson = () => {
  const sub = `person ${nextPerson++}`;
  return { sub, email: `${sub.replace(" ", "-")}@house.test`, email_verified: true };
};
async function signIn(account: IdentityProvider["account"]): Promise<string> {
  house.account = account;
  const browser = new OidcBrowser(env);
  const at = await browser.open("/v1/base/provider/start?provider=house-with-groups");
  expect(at.searchParams.get("problem")).toBeNull();
  return (await browser.exchangeCode(at)).data.token;
}
const roleOf = async (clinic: TestUser, email: string) =>
  (await clinic.call("member.list", { pageSize: 999 })).list.find((one) => one.email === email)?.authorityId ?? null;

describe("the groups of an identity provider", () => {
  it("make a person a member at the sign-in, change the role and end the membership at later ones", async () => {
    const clinic = await createClinic();
    const ada = newPerson();
    const token = await signIn({ ...ada, groups: ["dentists", "others"] });
    expect(await roleOf(clinic, ada.email)).toBe(member);
    expect((await env.ask("account.getUserInfo", {}, { token })).data.iid).toBe(clinic.iid);
    await signIn({ ...ada, groups: ["dentists", "owners"] });
    expect(await roleOf(clinic, ada.email)).toBe(manager);
    await signIn({ ...ada, groups: ["dentists"] });
    expect(await roleOf(clinic, ada.email)).toBe(member);
    await signIn({ ...ada, groups: [] });
    expect(await roleOf(clinic, ada.email)).toBeNull();
    // A process trusts the row of a session for half a second.
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(refusalOf(await env.ask("patient.list", {}, { token }))).toBe("signedOutElsewhere");
    const trail = await clinic.call("trail.list", {});
    expect(trail.list.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["member.enter", "member.changeRole", "member.kickOut"]),
    );
  });

  it("take back only what they gave", async () => {
    const clinic = await createClinic();
    const ada = newPerson();
    await signIn({ ...ada, groups: [] });
    await clinic.call("member.invite", { email: ada.email, authorityId: member });
    const token = await signIn({ ...ada, groups: [] });
    const [invitation] = (await env.ask("member.mine", {}, { token })).data.list;
    await env.ask("member.update", { id: invitation.id, version: invitation.version, action: "accept" }, { token });
    await signIn({ ...ada, groups: ["owners"] });
    expect(await roleOf(clinic, ada.email)).toBe(manager);
    await signIn({ ...ada, groups: [] });
    expect(await roleOf(clinic, ada.email)).toBe(member);
  });

  it("neither lower a role that people chose nor remove its holder", async () => {
    const clinic = await createClinic();
    const email = `${clinic.uid}@example.test`;
    await env.createUser("clinicAdmin", { id: clinic.iid });
    for (const groups of [["dentists"], []]) {
      await signIn({ sub: clinic.uid, email, email_verified: true, groups });
      expect(await roleOf(clinic, email)).toBe(manager);
    }
  });

  it("leave the last manager in place, and take the role once there is another", async () => {
    const clinic = await createClinic();
    const ada = newPerson();
    await signIn({ ...ada, groups: ["owners"] });
    const { list } = await clinic.call("member.list", {});
    const own = list.find(({ userId }) => userId === clinic.uid);
    const other = list.find(({ email }) => email === ada.email);
    await clinic.call("member.update", {
      id: own?.id ?? "",
      version: own?.version ?? 0,
      action: "exit",
      colleagueId: other?.userId ?? "",
    });
    await signIn({ ...ada, groups: [] });
    const second = await env.createUser("clinicAdmin", { id: clinic.iid });
    expect(await roleOf(second, ada.email)).toBe(manager);
    await signIn({ ...ada, groups: [] });
    expect(await roleOf(second, ada.email)).toBeNull();
  });

  it("give nothing to a role that does not fit the organisation, and a claim that is missing lists none", async () => {
    const clinic = await createClinic();
    const ada = newPerson();
    await signIn({ ...ada, groups: ["technicians"] });
    expect(await roleOf(clinic, ada.email)).toBeNull();
    await signIn({ ...ada, groups: "dentists" });
    expect(await roleOf(clinic, ada.email)).toBe(member);
    await signIn(ada);
    expect(await roleOf(clinic, ada.email)).toBeNull();
  });

  it("change nothing while the provider says that the list is elsewhere", async () => {
    const clinic = await createClinic();
    const ada = newPerson();
    await signIn({ ...ada, groups: ["dentists"] });
    await signIn({ ...ada, _claim_names: { groups: "src1" } });
    expect(await roleOf(clinic, ada.email)).toBe(member);
  });
});

describe("the configuration of groups", () => {
  const mistakes = (more: object) => () =>
    readConfig({ OIDC_PROVIDERS: JSON.stringify([{ ...provider, issuer: "https://house.example", ...more }]) });
  it("accepts no role of the platform, and no groups without their claim", () => {
    for (const role of ["operator", "afterSalesAdmin", "afterSalesMember", "newUser"])
      expect(mistakes({ groupsClaim: "groups", groups: [{ ...rules[0], role }] })).toThrow(/groups\.0\.role/);
    expect(mistakes({ groups: rules })).toThrow(/groups without groupsClaim/);
    expect(mistakes({ groupsClaim: "groups", groups: rules })).not.toThrow();
  });
});
