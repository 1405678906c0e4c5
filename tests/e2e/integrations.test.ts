import { readFileSync } from "node:fs";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { integrationCalls } from "@arcada/contract/integrations/integrations.calls";
import { labAgentReportCalls } from "@arcada/contract/integrations/lab-agent-report.calls";
import { roles } from "@arcada/contract/kernel/roles";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import { ackCode, MllpSender } from "@arcada/testing/clients/mllp-client";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { prescription } from "@arcada/testing/fixtures/patient-with-orders";
import { freePort, Product } from "@arcada/testing/setup/product-process";
import { isGenuine, WebhookPeer } from "@arcada/testing/peers/webhook-peer";
import { signIn, signInHere } from "./support/account-steps.ts";
import { AppSite, allowAfterSignIn, authorizePath, disconnectAll } from "./support/connected-app.ts";
import { exchangeInBrowser, openFromRecord, registerApp } from "./support/connected-app.ts";
import { captureFailures, checkPage } from "./support/page-checks.ts";
import { writeDesignFile, createInstitutionAccount } from "./support/order-files.ts";
import { narrow, BrowserUser, wide } from "./support/browser-user.ts";

const settings: Record<string, string> = { WEBHOOK_NETWORKS: "127.0.0.0/8" };
const product = new Product(settings);
let browser: Browser;
let peer: WebhookPeer;
let manager: BrowserUser;
let clinic = { token: "" };
let clinicIid = "";
let labIid = "";
let labSession = { token: "" };
let patientId = "";

beforeAll(async () => {
  [browser, peer] = await Promise.all([launchBrowser(), new WebhookPeer().start(), product.start()]);
  const made = await createInstitutionAccount(product, "clinic", "晨光口腔", "manager@open.test");
  [clinic, clinicIid] = [made.session, made.iid];
  const lab = await createInstitutionAccount(product, "lab", "Skilled Hands Dental", "lab@open.test");
  labIid = lab.iid;
  labSession = lab.session;
  const asked = await product.call(relationCalls.step, { action: "request", iid: labIid }, clinic);
  await product.call(relationCalls.step, { action: "accept", id: asked.id, version: asked.version }, lab.session);
  const who = { name: "李大伟", sex: "male", birthDate: "1985-06-07" } as const;
  patientId = (await product.call(patientCalls.create, who, clinic)).id;
  manager = await BrowserUser.open(browser, product.address);
  await signIn(manager, "manager@open.test");
  await manager.goTo("/openInterface");
});
captureFailures("open-interface", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
  peer.stop();
});

it("a manager gives a program a key, the program reads an order with it, and no longer once the key is revoked", async () => {
  const order = await sendOrder();
  await manager.button("interface.keys.new").click();
  const dialog = manager.page.getByRole("dialog");
  await manager.field("interface.keys.name", dialog).fill("Practice software");
  await dialog.getByLabel(manager.t("interface.scope.orders.read"), { exact: true }).check();
  await dialog.locator("input[type=password]").fill(goodPassword);
  await checkPage(manager, "open-key-new");
  await dialog.getByRole("button", { name: manager.t("interface.keys.make"), exact: true }).click();
  const key = await readShownSecret(dialog, "keys.key");

  const asks = (path: string) => fetch(product.address + path, { headers: { authorization: `Bearer ${key}` } });
  const task = (await (await asks(`/fhir/Task/${order}`)).json()) as unknown;
  expect(task).toMatchObject({ resourceType: "Task", status: "requested" });
  // The server rejects calls for which the key has no permission.
  expect((await asks("/v1/patient/list")).status).toBe(403);

  await manager.page.getByRole("button", { name: new RegExp(`^${manager.t("interface.keys.revoke")}`) }).click();
  await dialog.getByRole("button", { name: manager.t("interface.keys.revoke"), exact: true }).click();
  await manager.waitFor(manager.text("interface.keys.state.revoked"));
  await expect.poll(async () => (await asks(`/fhir/Task/${order}`)).status).toBe(401);
});

it("a manager lets the identity provider provision members, renews its key and chooses the role of a group", async () => {
  await manager.button("interface.keys.new").click();
  const dialog = manager.page.getByRole("dialog");
  await manager.field("interface.keys.name", dialog).fill("Directory");
  await dialog.getByLabel(manager.t("interface.scope.members.provision"), { exact: true }).check();
  await dialog.locator("input[type=password]").fill(goodPassword);
  await dialog.getByRole("button", { name: manager.t("interface.keys.make"), exact: true }).click();
  const first = await readShownSecret(dialog, "keys.key");
  await manager.page.getByRole("button", { name: `${manager.t("interface.keys.renew")}: Directory` }).click();
  await dialog.locator("input[type=password]").fill(goodPassword);
  await dialog.getByRole("button", { name: manager.t("interface.keys.renew"), exact: true }).click();
  const renewed = await readShownSecret(dialog, "keys.key");
  const send = async (key: string, path: string, body: object) =>
    (await (
      await fetch(`${product.address}/scim/v2${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/scim+json" },
        body: JSON.stringify(body),
      })
    ).json()) as { id: string };
  const { id } = await send(first, "/Users", { userName: "ada@house.test", displayName: "Ada Byron" });
  await send(renewed, "/Groups", { displayName: "Dental managers", members: [{ value: id }] });

  await manager.goTo("/openInterface");
  const role = manager.page.getByLabel(`${manager.t("interface.provisioning.role")}: Dental managers`);
  // The list of options has the same label.
  await role.and(manager.page.locator("input")).click();
  await manager.page.getByRole("option", { name: manager.t("common.role.clinicAdmin"), exact: true }).click();
  const roleOfAda = async () =>
    (await product.call(memberCalls.list, {}, clinic)).list.find(({ name }) => name === "Ada Byron")?.authorityId;
  await expect.poll(roleOfAda).toBe(roles.clinicAdmin.authorityId);
  await checkPage(manager, "open-interface-provisioning");
});

it("a manager adds a webhook endpoint, tests it, and sees in its log what was sent and the result", async () => {
  await manager.button("interface.hooks.new").click();
  const dialog = manager.page.getByRole("dialog");
  await manager.field("interface.hooks.name", dialog).fill("Practice software");
  await manager.field("interface.hooks.url", dialog).fill(peer.url("/hook"));
  await dialog.getByRole("button", { name: manager.t("interface.hooks.make"), exact: true }).click();
  const secret = await readShownSecret(dialog, "hooks.secret");
  await pressWebhookButton("try");
  await manager.waitFor(manager.text("interface.hooks.tried"));
  await expect.poll(() => peer.deliveriesTo("/hook").map(({ type }) => type)).toEqual(["webhook.test"]);
  expect(isGenuine(peer.deliveries[0], secret, Date.now())).toBe(true);

  // A failed delivery is reported, and can be sent again manually.
  peer.respond = () => 500;
  await sendOrder();
  await pressWebhookButton("log");
  const log = dialog.getByRole("list", { name: manager.t("interface.hooks.log") });
  await manager.waitFor(log.getByText(manager.t("interface.log.delivery.delivered")));
  await manager.waitFor(log.getByText(/^500/));
  await checkPage(manager, "open-log");
  peer.respond = () => 204;
  for (const again of await log
    .getByRole("button", { name: new RegExp(manager.t("interface.event.order.moved")) })
    .all())
    await again.click();
  const delivered = log.getByText(manager.t("interface.log.delivery.delivered"));
  await expect.poll(() => delivered.count()).toBe(3);
  expect(await log.getByText(manager.t("interface.log.delivery.waiting")).count()).toBe(0);
  await manager.page.keyboard.press("Escape");
  await log.waitFor({ state: "hidden" });
  await checkPage(manager, "open-interface");
  // A form must not show a switch as off that is on.
  await pressWebhookButton("edit");
  await expect.poll(() => dialog.getByLabel(manager.t("interface.hooks.on")).isChecked()).toBe(true);
  await manager.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await manager.switchLanguage("en");
  await manager.page.setViewportSize(narrow);
  await pressWebhookButton("log");
  await checkPage(manager, "open-log");
  await manager.page.keyboard.press("Escape");
  await checkPage(manager, "open-interface");
  await manager.page.setViewportSize(wide);
  expect(manager.consoleProblems).toEqual([]);
});

it("a laboratory's manager makes a key for the agent, and then sees that it runs and which order it has a problem with", async () => {
  const lab = await BrowserUser.open(browser, product.address);
  await signIn(lab, "lab@open.test");
  await lab.goTo("/openInterface");
  await lab.waitFor(lab.text("interface.agents.none"));
  const { key, secret } = await product.call(
    integrationCalls.makeKey,
    { name: "exocad 1", scopes: ["lab.agent"], days: 365, password: goodPassword },
    labSession,
  );
  const report = { version: "agent 1.0.0", delivered: 12, designs: 9, waiting: 1, numbers: ["261129-100007"] };
  const asAgent = { authorization: `Bearer ${secret}` };
  await product.call(labAgentReportCalls.report, { ...report, problem: "orderChanged" }, asAgent);
  await lab.goTo("/openInterface");
  await lab.waitFor(lab.page.getByText(key.name).first());
  await lab.waitFor(lab.page.getByText(/261129-100007/));
  await lab.waitFor(lab.text("interface.agents.state.online"));
  await checkPage(lab, "open-agents", { alsoDark: true });
  await lab.switchLanguage("en");
  await lab.page.setViewportSize(narrow);
  await lab.waitFor(lab.text("interface.agents.state.online"));
  await checkPage(lab, "open-agents");
  expect(lab.consoleProblems).toEqual([]);
});

it("a practice program opens a patient by address and by code, and has an absent one created after one confirmation", async () => {
  const { page } = manager;
  const atPatient = (id: string) =>
    page.waitForURL((url) => url.pathname + url.search === `/patientDetail/page?id=${id}`);
  // The name and birth date find a record that has no number of the practice yet.
  await manager.goTo("/launch?practiceNumber=77&name=李大伟&birthDate=19850607");
  await atPatient(patientId);

  await manager.goTo("/launch?requestType=STUDY");
  await manager.waitFor(manager.text("launch.problem.studyMissing"));
  await checkPage(manager, "launch-incomplete");
  await manager.goTo("/launch?practiceNumber=88&lastName=王&firstName=芳&birthDate=19900102&sex=F");
  await manager.waitFor(manager.text("launch.absent.off"));
  expect(page.url()).toBe(`${product.address}/launch/patient`);
  await checkPage(manager, "launch-absent");

  await manager.goTo("/institution#launch");
  await page.getByLabel(manager.t("institution.launchCreatesPatients")).check();
  await manager.field("institution.launch.number").fill("88");
  await checkPage(manager, "launch-settings", { alsoDark: true });
  await manager.button("common.save").click();
  await manager.waitFor(manager.text("common.saved"));
  await manager.goTo("/launch?practiceNumber=88&lastName=王&firstName=芳&birthDate=19900102&sex=F");
  await manager.waitFor(manager.button("launch.create.submit"));
  await checkPage(manager, "launch-create", { alsoDark: true });
  await manager.button("launch.create.submit").click();
  await page.waitForURL((url) => url.pathname === "/patientDetail/page");
  await manager.waitFor(page.getByRole("heading", { name: "王芳" }));

  await manager.goTo("/launch?practiceNumber=88&lastName=李&firstName=大伟&birthDate=19850607");
  await manager.waitFor(manager.text("launch.choose.title"));
  await checkPage(manager, "launch-choose", { alsoDark: true });

  const named = { name: "Desk", scopes: ["patients.launch" as const], days: 30 as const, password: goodPassword };
  const { secret } = await product.call(integrationCalls.makeKey, named, clinic);
  const asked = await fetch(`${product.address}/v1/practice/code`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ request: { person: { number: "88" } } }),
  });
  const { data } = (await asked.json()) as { data: { path: string } };
  // Somebody who has to sign in first brings the code to the patient nevertheless.
  const dentist = await BrowserUser.open(browser, product.address, "en", { viewport: narrow });
  await dentist.goTo(data.path);
  await dentist.waitFor(dentist.field("account.account"));
  expect(decodeURIComponent(dentist.page.url())).toBe(`${product.address}/login?redirect=/launch/patient`);
  await signInHere(dentist, "manager@open.test");
  await dentist.waitFor(dentist.page.getByRole("heading", { name: "王芳" }));
  await dentist.goTo(data.path);
  await dentist.waitFor(dentist.text("launch.spent.title"));
  await checkPage(dentist, "launch-spent");
  await dentist.goTo("/institution#launch");
  await dentist.waitFor(dentist.text("institution.launch.address"));
  await checkPage(dentist, "launch-settings");
  // The browser reports the incomplete address and the spent code, which the server refuses.
  expect([...manager.consoleProblems, ...dentist.consoleProblems]).toEqual([
    expect.stringContaining("status of 400"),
    expect.stringContaining("status of 422"),
  ]);
});

it("a manager sets up a hospital system, and decides about a message with another birth date", async () => {
  await manager.goTo("/openInterface");
  await manager.button("hl7.new").click();
  const dialog = manager.page.getByRole("dialog");
  await manager.field("hl7.name", dialog).fill("Hospital");
  await manager.field("hl7.application", dialog).fill("KIS");
  await checkPage(manager, "hl7-form");
  await manager.button("hl7.add").click();
  await dialog.waitFor({ state: "hidden" });

  const port = await freePort();
  Object.assign(settings, { HL7_PORT: String(port), HL7_SENDERS: `KIS@127.0.0.0/8=${clinicIid}` });
  await product.stop();
  await product.start();
  const sender = await MllpSender.open(port);
  const send = async (event: string, pid: string) =>
    ackCode(
      await sender.send(`MSH|^~\\&|KIS||ARCADA||20260101||ADT^${event}|${event}${pid.length}|P|2.5\rPID|1||${pid}`),
    );
  expect(await send("A04", "4712||Müller^Anna||19850908|F")).toBe("AA");
  expect(await send("A08", "4712||Müller^Anna||19900101|F")).toBe("AA");
  expect(await send("A04", "||Nobody^Nemo")).toBe("AE");
  sender.close();

  await manager.goTo("/openInterface");
  await manager.link("hl7.waitingNotice", { count: 1 }).click();
  expect(new URL(manager.page.url()).hash).toBe("#hl7");
  await manager.waitFor(manager.text("hl7.waitingTitle"));
  await checkPage(manager, "hl7-waiting", { alsoDark: true });
  await manager.page.setViewportSize(narrow);
  await checkPage(manager, "hl7-waiting");
  await manager.page.setViewportSize(wide);
  await manager.page.getByRole("button", { name: `${manager.t("hl7.applyOther")}: Anna Müller` }).click();
  await manager.text("hl7.waitingTitle").waitFor({ state: "hidden" });
  const { list } = await product.call(patientCalls.list, { search: "4712" }, clinic);
  expect(list).toMatchObject([{ name: "Anna Müller", birthDate: "1990-01-01" }]);
  await manager.page.getByRole("button", { name: `${manager.t("hl7.log")}: Hospital` }).click();
  await manager.waitFor(manager.text("hl7.reason.noNumber"));
  await checkPage(manager, "hl7-log");
});

it("an app is connected on a telephone and from a patient's record, reads that patient alone, and is disconnected", async () => {
  const site = await AppSite.open();
  const app = await registerApp(manager, { product, site, session: clinic });
  const person = await BrowserUser.open(browser, product.address, "zh", { viewport: narrow });
  const started = await app.start("launch/patient patient/Task.rs patient/ServiceRequest.rs offline_access");
  await allowAfterSignIn(person, started, { email: "manager@open.test", patient: "李大伟" });
  expect(await exchangeInBrowser(person, started)).toMatchObject({ patient: patientId });

  await manager.switchLanguage("en");
  const launch = await openFromRecord(manager, "Growth charts", patientId);
  const launched = await app.start("launch patient/Task.rs", { launch });
  await manager.goTo(authorizePath(launched));
  await manager.waitFor(manager.text("smart.consent.patient"));
  await checkPage(manager, "app-consent");
  await manager.button("smart.consent.allow").click();
  await manager.page.waitForURL((url) => url.pathname === "/back");
  const { access_token: token } = await app.exchange(launched, manager.page.url());
  expect((await app.read(token, "Task")).status).toBe(200);

  await manager.goTo("/profile/index#apps");
  await manager.waitFor(manager.page.getByText("Growth charts · 李大伟").first());
  await checkPage(manager, "app-mine");
  await disconnectAll(manager, "Growth charts");
  await expect.poll(async () => (await app.read(token, "Task")).status).toBe(401);
  await manager.goTo(authorizePath(await app.start("launch/patient", { redirect_uri: site.url("/elsewhere") })));
  await manager.waitFor(manager.text("smart.fault.redirect"));
  await checkPage(manager, "app-fault");
  site.close();
});

/** A simple order with a scan, off to the lab; answers its id. */
async function sendOrder(): Promise<string> {
  const upload = await product.upload(clinic.token, "upper.stl", readFileSync(writeDesignFile(1)));
  const rx = { ...prescription(patientId, labIid), uploads: [{ upload, role: "upperScan" as const }] };
  const { id } = await product.call(orderCalls.save, { ...rx, noDigitalFiles: false, send: true }, clinic);
  return id;
}

/** Returns the secret that a dialog shows once. */
async function readShownSecret(dialog: Locator, label: "keys.key" | "hooks.secret"): Promise<string> {
  const shown = dialog.getByLabel(manager.t(`interface.${label}`), { exact: true });
  await shown.waitFor();
  const secret = await shown.inputValue();
  await dialog
    .getByRole("button", { name: manager.t("common.close"), exact: true })
    .last()
    .click();
  await dialog.waitFor({ state: "hidden" });
  return secret;
}

const pressWebhookButton = (what: "try" | "log" | "edit"): Promise<void> =>
  manager.page.getByRole("button", { name: `${manager.t(`interface.hooks.${what}`)}: Practice software` }).click();
