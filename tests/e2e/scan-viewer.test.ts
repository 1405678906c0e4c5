import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import type { Mesh } from "@arcada/imaging/mesh/mesh";
import { writePly, writeStl } from "@arcada/imaging/mesh/write-mesh";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import { transformPoint, type RigidTransform } from "@arcada/imaging/geometry/rigid-transform";
import { waitForIngest } from "../../demo/wait-for-ingest.ts";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { signIn } from "./support/account-steps.ts";
import { captureFailures, checkPage } from "./support/page-checks.ts";
import { BrowserUser, narrow } from "./support/browser-user.ts";
import { getBox, expectImageChange, waitUntilDrawn } from "./support/screen-pixels.ts";
import { holdSurfaces } from "./viewer/hold-surfaces.ts";

const email = "scans@clinic.test";
const product = new Product();
let browser: Browser;
let dentist: BrowserUser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  const first = await product.register(email, "clinicManager");
  const { id: iid } = await product.call(
    institutionCalls.create,
    { name: "Morning", type: "clinic", country: "CN" },
    { token: first },
  );
  const { token } = await product.call(institutionCalls.switch, { iid }, { token: first });
  const ask = { token };
  const { id: patientId } = await product.call(
    patientCalls.create,
    { name: "王芳", sex: "female", birthDate: "1985-09-09" },
    ask,
  );
  const uploads = await Promise.all(createScans().map(([name, bytes]) => product.upload(token, name, bytes)));
  const { id } = await product.call(uploadJobCalls.open, { patientId, uploads }, ask);
  const job = await waitForIngest(() => product.call(uploadJobCalls.job, { id }, ask));
  dentist = await BrowserUser.open(browser, product.address, "zh");
  await signIn(dentist, email);
  await dentist.goTo(`/viewer?study=${job.studies[0]}`);
});
captureFailures("scans", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

/** Scans of both jaws, and the lower one again in another scanner orientation. */
function createScans(): [string, Uint8Array][] {
  const head = makeHead("scans");
  const [upper, lower] = [createArchScan(head, "upper"), createArchScan(head, "lower")];
  const held: RigidTransform = [0.9962, -0.0872, 0, 0.8, 0.0872, 0.9962, 0, -0.5, 0, 0, 1, 0.4];
  return [
    ["upper.ply", writePly(upper)],
    ["lower.stl", writeStl(lower)],
    ["lower-again.stl", writeStl(mapPositions(lower, (at) => transformPoint(held, at)))],
  ];
}

function mapPositions(mesh: Mesh, change: (at: [number, number, number]) => readonly number[]): Mesh {
  const positions = mesh.positions.slice();
  for (let i = 0; i < positions.length; i += 3)
    positions.set(change([positions[i], positions[i + 1], positions[i + 2]]), i);
  return { ...mesh, positions };
}

const modelViewport = (): Locator =>
  dentist.page.getByRole("group", { name: dentist.t("viewer.kind.models"), exact: true });
const openTab = (name: string): Promise<void> =>
  dentist.page.getByRole("tab", { name: dentist.t(`viewer.model.tab.${name}`) }).click();

it("shows scans from every side", async () => {
  await waitUntilDrawn(modelViewport());
  await dentist.waitFor(dentist.button("viewer.models.hide", { name: "lower-again.stl" }));
  const side = (letter: string) => modelViewport().getByText(letter, { exact: true });
  await dentist.waitFor(side("R"));
  expect((await getBox(side("R"))).x).toBeLessThan((await getBox(side("L"))).x);
  await expectImageChange(modelViewport(), () => dentist.page.keyboard.press("6"));
  expect((await getBox(side("L"))).x).toBeLessThan((await getBox(side("R"))).x);
  await expectImageChange(modelViewport(), () => dentist.page.keyboard.press("o"));
  await expectImageChange(modelViewport(), () => dentist.page.keyboard.press("1"));
  await dentist.button("viewer.models.hide", { name: "lower-again.stl" }).click();
});

it("cuts them by a plane and measures the line", async () => {
  // Straight from the front the plane is seen from its edge.
  const { x, y, width, height } = await getBox(modelViewport());
  await dentist.page.mouse.move(x + width / 4, y + height / 8);
  await dentist.page.mouse.down();
  await dentist.page.mouse.move(x + width / 3, y + height / 8, { steps: 4 });
  await dentist.page.mouse.up();
  await openTab("section");
  await expectImageChange(modelViewport(), () => dentist.button("viewer.model.section.way.left").click());
  await expectImageChange(modelViewport(), () =>
    dentist.page.getByText(dentist.t("viewer.model.section.side.above")).click(),
  );
  await dentist.waitFor(dentist.page.getByText(/^\d+\.\d\d\smm · /));
  await expectImageChange(modelViewport(), () => dentist.button("viewer.model.section.face").click());
  await checkPage(dentist, "scans-section");
  await dentist.button("viewer.model.section.end").click();
});

it("colours the bite, and brings one scan onto another", async () => {
  await openTab("compare");
  await dentist.button("viewer.model.compare.start").click();
  await dentist.waitFor(dentist.text("viewer.model.compare.legend.bite"));
  await dentist.page.keyboard.press("5");
  await checkPage(dentist, "scans-bite");
  await dentist.button("viewer.model.compare.end").click();
  await dentist.page.getByText(dentist.t("viewer.model.compare.version"), { exact: true }).click();
  const pair = (kind: string) => dentist.page.getByLabel(dentist.t(`viewer.model.compare.${kind}.version`));
  await pair("a").selectOption({ label: "lower-again.stl" });
  await pair("b").selectOption({ label: "lower.stl" });
  await dentist.button("viewer.model.align.begin").click();
  await dentist.button("viewer.model.align.fitAsIs").click();
  const rest = textPattern("viewer.model.align.rest", "mm", "([\\d.]+)");
  expect(Number(rest.exec(await dentist.page.getByText(rest).innerText())?.[1])).toBeLessThan(0.02);
  await dentist.button("viewer.model.compare.start").click();
  await dentist.waitFor(dentist.text("viewer.model.compare.p95"));
  await checkPage(dentist, "scans-versions");
});
/** The text with any number in it. */
const textPattern = (key: string, place: string, number: string): RegExp =>
  new RegExp(
    dentist
      .t(key, { [place]: "HERE" })
      .replace(/[()]/g, "\\$&")
      .replace("HERE", number),
  );

it("shows the coarse copy of a scan first, and measures nothing on it", async () => {
  const { page } = dentist;
  const release = await holdSurfaces(page, studyCalls.detail.path);
  await page.reload();
  await waitUntilDrawn(modelViewport());
  await dentist.waitFor(dentist.text("viewer.model.coarse"));
  const measureAcross = async () => {
    const { x, y, width, height } = await getBox(modelViewport());
    await page.keyboard.press("5");
    await page.keyboard.press("s");
    await page.mouse.click(x + width * 0.46, y + height * 0.8);
    await page.mouse.click(x + width * 0.54, y + height * 0.8);
  };
  const lengths = page.getByText(textPattern("viewer.model.along", "length", "([\\d.]+)\\smm"));
  await measureAcross();
  await release();
  await dentist.text("viewer.model.coarse").waitFor({ state: "detached" });
  expect(await lengths.count()).toBe(0);
});

it("keeps lengths and comments at their positions", async () => {
  await dentist.page.keyboard.press("5");
  const { x, y, width, height } = await getBox(modelViewport());
  const at = (right: number, down: number) => [x + width * right, y + height * down] as const;
  await dentist.page.keyboard.press("s");
  await dentist.page.mouse.click(...at(0.46, 0.8));
  await dentist.page.mouse.click(...at(0.54, 0.8));
  await dentist.waitFor(dentist.page.getByText(textPattern("viewer.model.along", "length", "([\\d.]+)\\smm")));
  await dentist.page.keyboard.press("n");
  await dentist.page.mouse.click(...at(0.51, 0.78));
  await dentist.page.getByRole("textbox", { name: dentist.t("viewer.model.pins.words") }).fill("11 边缘需检查");
  await dentist.button("viewer.model.pins.keep").click();
  await dentist.waitFor(dentist.text("viewer.marks.saved"));
  await checkPage(dentist, "scans-comment");
  await dentist.page.setViewportSize(narrow);
  await dentist.page.reload();
  await openTab("pins");
  await dentist.waitFor(dentist.page.getByText("11 边缘需检查"));
  await waitUntilDrawn(modelViewport());
  await checkPage(dentist, "scans-comment");
  expect(dentist.consoleProblems).toEqual([]);
});
