import { sql } from "kysely";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Input } from "@arcada/contract/kernel/call";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { signIn } from "./support/account-steps.ts";
import { actAndMeasureDelay as actsBeside } from "./support/cross-page-delay.ts";
import { holdSurfaces } from "./viewer/hold-surfaces.ts";
import { chooseFiles } from "./viewer/imaging-steps.ts";
import { captureFailures, checkPage } from "./support/page-checks.ts";
import {
  writeDesignFile,
  createInstitutionAccount,
  createPatientWithScan,
  readScan,
  uploadCt,
} from "./support/order-files.ts";
import { commentOnScan, exchangeMessagesWithImage } from "./support/order-discussion.ts";
import { orderFromExocadFolder, teachMaterial } from "./support/case-import-steps.ts";
import { countClicks } from "./support/count-clicks.ts";
import { takeOrderAction, expectOrderState } from "./support/order-steps.ts";
import { withProductDatabase } from "./support/product-database.ts";
import { BrowserUser, isBrief, narrow, wide } from "./support/browser-user.ts";
import { expectImageChange, waitUntilDrawn } from "./support/screen-pixels.ts";

const product = new Product();
let browser: Browser;
let dentist: BrowserUser;
let lab: BrowserUser;
let clinic = { token: "" };
let patientId = "";
let ct = "";
let labIid = "";
let labSession = { token: "" };
/** Milliseconds from the answer of a step to the other side's page saying so. */
const delays: number[] = [];

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  clinic = (await createInstitutionAccount(product, "clinic", "晨光口腔", "dentist@sides.test")).session;
  const other = await createInstitutionAccount(product, "lab", "Skilled Hands Dental", "lab@sides.test");
  labIid = other.iid;
  labSession = other.session;
  const asked = await product.call(relationCalls.step, { action: "request", iid: labIid }, clinic);
  await product.call(relationCalls.step, { action: "accept", id: asked.id, version: asked.version }, other.session);
  patientId = (
    await product.call(patientCalls.create, { name: "李大伟", sex: "male", birthDate: "1985-06-07" }, clinic)
  ).id;
  ct = await uploadCt(product, clinic, patientId);
  [dentist, lab] = await Promise.all([
    BrowserUser.open(browser, product.address),
    BrowserUser.open(browser, product.address, "en"),
  ]);
  for (const person of [dentist, lab]) {
    person.screenshotPrefix = "sides-";
    // Models are drawn without a graphics processor, on two pages at once.
    person.context.setDefaultTimeout(60_000);
  }
  await signIn(dentist, "dentist@sides.test");
  await signIn(lab, "lab@sides.test");
});
captureFailures("order-sides", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

describe("a dentist and a lab in two browsers", () => {
  it("order a crown in at most eight clicks, from the patient's page to the sent order", async () => {
    const patient = await createPatientWithScan(product, clinic, "陈晓");
    await dentist.goTo(`/patientDetail/page?id=${patient}&tab=orders`);
    const clicks = await countClicks(dentist, async () => {
      await dentist.link("patient.newOrder").click();
      await dentist.page.locator('[data-tooth="16"]').click();
      const crown = dentist.page.getByRole("region", { name: new RegExp(`^${dentist.t("order.kind.crown")}`) });
      await dentist.field("order.item.material", crown).and(dentist.page.locator("input")).first().click();
      await dentist.page.getByRole("option", { name: dentist.t("order.material.zirconia"), exact: true }).click();
      await dentist.waitFor(dentist.text("order.form.complete"));
      await checkPage(dentist, "sides-form");
      await dentist.button("order.form.send").click();
      await dentist.page.waitForURL((url) => url.pathname === "/orderDetail/page");
    });
    console.info(`a crown was ordered with ${clicks} clicks`);
    expect(clicks).toBeLessThanOrEqual(8);
    await expectOrderState(dentist, "pending");
    await dentist.waitFor(dentist.page.getByRole("heading", { level: 1, name: "陈晓 · 16 全瓷冠" }));
  });

  it("order what the folder of an exocad case says with three clicks, in the words of the lab", async () => {
    await teachMaterial(product, lab, labSession);
    const clicks = await orderFromExocadFolder(dentist);
    console.info(`the order of an exocad case was sent with ${clicks} clicks`);
    expect(clicks).toBe(3);
    await expectOrderState(dentist, "pending");
    await dentist.waitFor(dentist.page.getByText(/dentalProject/));
  });

  it("talk, comment on the scan and finish a design that is delivered digitally", async () => {
    await openOrderForm({ workKinds: ["design"] });
    await actAndRecordDelay(lab, dentist, "accept", ["order.stateByStep.designPreparing"]);
    await exchangeMessagesWithImage(dentist, lab);
    await commentOnScan(dentist, lab);
    await submitDesignVersion(1);
    // Approving is possible once the design has been drawn: "Approve" and its confirmation.
    const clicks = await countClicks(dentist, () =>
      actAndRecordDelay(dentist, lab, "confirmDelivery", ["order.state.completed"]),
    );
    expect(clicks).toBe(2);
    await expectOrderState(dentist, "completed");
    for (const person of [dentist, lab])
      await person.waitFor(person.text("orderDetail.revision.valid", { what: designNumber(person, 1) }));
  });

  it("go through scheme, design and machining with one rejection each and a redelivery", async () => {
    await openOrderForm({ workKinds: ["design", "machining"], schemeRequired: true, studies: [ct] });
    await actAndRecordDelay(lab, dentist, "accept", ["order.stateByStep.schemePreparing"]);
    await openCt();
    await submitScheme(1);
    await actAndRecordDelay(
      dentist,
      lab,
      "returnScheme",
      ["order.revisionState.returned"],
      fillField("order.ask.reason", "请改为螺丝固位"),
    );
    await submitScheme(2);
    await actAndRecordDelay(dentist, lab, "confirmScheme", ["order.stateByStep.designPreparing"]);
    await submitDesignVersion(1);
    await actAndRecordDelay(
      dentist,
      lab,
      "returnDesign",
      ["orderDetail.expected.you.designSubmit", { revision: 2 }],
      fillField("order.ask.reason", "邻接过紧"),
    );
    await submitDesignVersion(2);
    await compareDesigns();
    await actAndRecordDelay(dentist, lab, "confirmDesign", ["order.state.awaiting_dispatch"]);
    await dentist.waitFor(dentist.text("orderDetail.revision.valid", { what: designNumber(dentist, 2) }));
    await checkOldDesignWarning();
    await actAndRecordDelay(lab, dentist, "dispatch", ["order.state.awaiting_receipt"], fillShipment);
    await actAndRecordDelay(
      dentist,
      lab,
      "redeliver",
      ["order.state.awaiting_dispatch"],
      fillField("order.ask.reason", "崩瓷"),
    );
    await actAndRecordDelay(lab, dentist, "dispatch", ["order.state.awaiting_receipt"], fillShipment);
    await actAndRecordDelay(dentist, lab, "confirmReceipt", ["order.state.completed"]);
    await lab.page.setViewportSize(narrow);
    await checkPage(lab, "sides-completed", { alsoDark: true });
    await lab.page.setViewportSize(wide);
  });

  it.skipIf(isBrief)("withdraw what the other side has not yet decided on or received", async () => {
    await openOrderForm({ workKinds: ["design"], schemeRequired: true });
    await actAndRecordDelay(lab, dentist, "accept", ["order.stateByStep.schemePreparing"]);
    await submitScheme(1);
    await actAndRecordDelay(lab, dentist, "withdraw", ["order.revisionState.withdrawn"]);
    // A withdrawn revision can be neither confirmed nor returned.
    for (const decision of ["confirmScheme", "returnScheme"])
      expect(await dentist.button(`order.action.${decision}`).count()).toBe(0);
    expect(await dentist.text("orderDetail.revision.newest").count()).toBe(0);
    await checkPage(dentist, "sides-withdrawn");
    await submitScheme(2);
    await recallDispatch();
  });

  it("see each other's step within a second, without console errors", () => {
    const sorted = delays.toSorted((a, b) => a - b);
    const [median, worst] = [sorted[Math.floor(sorted.length / 2)] ?? NaN, sorted.at(-1) ?? NaN];
    console.info(`${delays.length} steps reached the other side after ${median} ms (median), ${worst} ms (worst)`);
    // A machine with other load takes longer; a dedicated one must not.
    const isFull = process.env["ARCADA_PROOF"] === "full";
    expect(isFull ? worst : median).toBeLessThan(isFull ? 1000 : 3000);
    expect([...dentist.consoleProblems, ...lab.consoleProblems]).toEqual([]);
  });
});

/** The order on both screens. */
async function openOrderForm(change: OrderChange): Promise<void> {
  const id = await sendOrder(change);
  await Promise.all([dentist, lab].map((person) => person.goTo(`/orderDetail/page?id=${id}`)));
  await Promise.all([dentist, lab].map((person) => expectOrderState(person, "pending")));
}

type OrderChange = Partial<Input<typeof orderCalls.save>>;

/** Sent by the interface's call; its scans are real where they are there. Answers its id. */
async function sendOrder(change: OrderChange): Promise<string> {
  const uploads = await Promise.all(
    (["upper", "lower"] as const).map(async (jaw) => ({
      upload: await product.upload(clinic.token, `${jaw}.stl`, readScan(jaw)),
      role: `${jaw}Scan` as const,
    })),
  );
  const order = await product.call(
    orderCalls.save,
    {
      patientId,
      targetIid: labIid,
      caseType: "restoration",
      items: [{ teeth: [11], kind: "crown", material: "zirconia", shade: "A2" }],
      workKinds: ["design"],
      dueDate: new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10),
      uploads,
      ...change,
      send: true,
    },
    clinic,
  );
  return order.id;
}

async function actAndRecordDelay(...step: Parameters<typeof actsBeside>): Promise<void> {
  delays.push(await actsBeside(...step));
}

const fillField = (field: string, words: string) => (dialog: Locator, person: BrowserUser) =>
  person.field(field, dialog).fill(words);

async function fillShipment(dialog: Locator, person: BrowserUser): Promise<void> {
  await person.field("order.ask.carrier", dialog).fill("SF");
  await person.field("order.ask.trackingNumber", dialog).fill("SF1024");
}

const submitScheme = (number: number): Promise<void> =>
  actAndRecordDelay(
    lab,
    dentist,
    "submitScheme",
    ["orderDetail.expected.you.schemeDecide", { revision: number }],
    fillField("order.ask.text", `Plan ${number}`),
  );

const submitDesignVersion = (number: number): Promise<void> =>
  actAndRecordDelay(lab, dentist, "submitDesign", ["order.stateByStep.designSubmitted"], async (dialog) => {
    await chooseFiles(lab, [writeDesignFile(number)], dialog);
    const submit = dialog.getByRole("button", { name: lab.t("order.action.submitDesign"), exact: true });
    await dialog
      .getByText(/crown-11\.stl/)
      .first()
      .waitFor();
    await expect.poll(() => submit.isEnabled()).toBe(true);
  });

const designNumber = (person: BrowserUser, number: number): string => person.t("order.detail.designNumber", { number });

/** Compares the first design with the second: two canvases under one camera, then the distances between them. */
async function compareDesigns(): Promise<void> {
  await dentist.button("orderDetail.details.open").click();
  await dentist.button("orderDetail.compare.begin").click();
  const viewports = ["returned", "submitted"].map((state, at) =>
    dentist.page.getByRole("group", {
      name: `${designNumber(dentist, at + 1)} · ${dentist.t(`order.revisionState.${state}`)}`,
      exact: true,
    }),
  );
  for (const viewport of viewports) await waitUntilDrawn(viewport);
  await checkCoarseDesigns(viewports);
  // Rotating one view rotates the other.
  await expectImageChange(viewports[1], () => viewports[0].press("3"));
  await dentist.page.getByText(dentist.t("orderDetail.compare.distance"), { exact: true }).click();
  await dentist.waitFor(dentist.text("viewer.model.compare.legend.version"));
  const within = dentist.page.getByText(dentist.t("viewer.model.compare.most"), { exact: true });
  await dentist.waitFor(within);
  const most = await within.locator("xpath=following-sibling::dd").innerText();
  // The second design is the first one, 0.2 mm higher.
  expect(Number.parseFloat(most)).toBeGreaterThan(0.1);
  expect(Number.parseFloat(most)).toBeLessThan(0.25);
  await checkPage(dentist, "sides-distance");
  await dentist.page.setViewportSize(narrow);
  await checkPage(dentist, "sides-distance");
  await dentist.page.setViewportSize(wide);
  await dentist.button("orderDetail.compare.end").click();
}

/** Each viewport shows the coarse copy of its design and says so, without a cover, until the surface comes. */
async function checkCoarseDesigns(viewports: readonly Locator[]): Promise<void> {
  const release = await holdSurfaces(dentist.page, orderCalls.detail.path);
  await dentist.page.reload();
  await dentist.button("orderDetail.details.open").click();
  await dentist.button("orderDetail.compare.begin").click();
  const notes = viewports.map((viewport) => viewport.getByText(dentist.t("viewer.model.coarse"), { exact: true }));
  for (const note of notes) await note.waitFor();
  for (const viewport of viewports) await waitUntilDrawn(viewport);
  const covers = viewports.map((viewport) => viewport.getByText(dentist.t("viewer.loading.models")));
  expect(await Promise.all(covers.map((cover) => cover.count()))).toEqual([0, 0]);
  await release();
  for (const note of notes) await note.waitFor({ state: "detached" });
}

/** The lab cannot take the design that was returned without having read that it is not the one to make. */
async function checkOldDesignWarning(): Promise<void> {
  const old = lab.page.getByRole("article", { name: designNumber(lab, 1), exact: true });
  await old.getByRole("button", { name: lab.t("order.detail.downloadName", { name: "crown-11.stl" }) }).click();
  const dialog = lab.page.getByRole("dialog");
  await lab.waitFor(dialog.getByText(lab.t("orderDetail.revision.oldTitle")));
  await dialog.getByRole("button", { name: lab.t("common.cancel"), exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
}

/** Lets the order wait while its CT is converted; the dentist recalls it, changes its text and sends it again. */
async function recallDispatch(): Promise<void> {
  await setConversionState("converting");
  await dentist.goTo(`/orderDetail/page?id=${await sendOrder({ studies: [ct] })}`);
  await expectOrderState(dentist, "awaiting_sending");
  await checkPage(dentist, "sides-sending");
  await takeOrderAction(dentist, "recall");
  await expectOrderState(dentist, "draft");
  await dentist.link("order.action.edit").click();
  await dentist.field("order.form.instructions").fill("改为单冠，颈部稍深。");
  await dentist.waitFor(dentist.text("order.form.complete"));
  await setConversionState("ready");
  await dentist.button("order.form.send").click();
  await expectOrderState(dentist, "pending");
  await dentist.waitFor(dentist.page.getByText("改为单冠，颈部稍深。"));
}

/** Sets the state of the CT during the conversion, which a small one finishes at once. */
const setConversionState = (state: "converting" | "ready"): Promise<unknown> =>
  withProductDatabase(product, (db) => sql`update study set state = ${state} where id = ${ct}`.execute(db));

/** Lets the lab open the order's CT in the CT viewer and return. */
async function openCt(): Promise<void> {
  const main = lab.page.getByRole("main");
  await main.locator("a[href*='CT3DWebView']").first().click();
  await lab.page.waitForURL((url) => url.searchParams.get("study") === ct);
  await lab.waitFor(lab.page.getByRole("group", { name: lab.t("viewer.plane.axial"), exact: true }));
  await lab.page.keyboard.press("d");
  await lab.waitFor(lab.page.getByText("64 × 64 × 48"));
  await lab.page.goBack();
  await expectOrderState(lab, "awaiting_scheme");
}
