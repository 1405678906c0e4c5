import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cephCalls } from "@arcada/contract/ceph/ceph.calls";
import type { CephSpot } from "@arcada/contract/ceph/ceph.shape";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { landmarkRows } from "@arcada/analysis/ceph/landmarks";
import { cephReport } from "@arcada/analysis/ceph/report";
import { landmarkSign } from "@arcada/analysis/ceph/signs";
import { applied, fitted, viewMatrix } from "@arcada/imaging/view/picture-view";
import { ingestOver } from "../../demo/ingest-over.ts";
import { launchBrowser } from "../browser.ts";
import { Product } from "../product.ts";
import { tracedFilm } from "./ceph-film.ts";
import { signsIn } from "./entering.ts";
import { keepsFailures, looks } from "./looking.ts";
import { scratch } from "./material.ts";
import { house } from "./order-material.ts";
import { narrow, Person } from "./person.ts";

const product = new Product();
const film = tracedFilm();
let browser: Browser;
let session = { token: "" };
let named = { studyId: "", instanceId: "" };
let patientId = "";
let dentist: Person;

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  session = (await house(product, "clinic", "晨光口腔", "dentist@ceph.test")).session;
  const who = { name: "林小雨", sex: "female", birthDate: "1998-05-06" } as const;
  patientId = (await product.gets(patientCalls.create, who, session)).id;
  const uploads = [await product.upload(session.token, film.name, film.bytes)];
  const wish = { patientId, uploads, kind: "lateralCeph", acceptMismatch: true } as const;
  const { id } = await product.gets(studyCalls.open, wish, session);
  await ingestOver(() => product.gets(studyCalls.job, { id }, session));
  const [row] = await product.gets(cephCalls.list, { patientId }, session);
  named = { studyId: row!.studyId, instanceId: row!.instanceId };
  dentist = await Person.sitsDown(browser, product.address);
  // A film of twenty million pixels is drawn without a graphics processor.
  dentist.context.setDefaultTimeout(60_000);
  await signsIn(dentist, "dentist@ceph.test");
});
keepsFailures("ceph", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

const usual = landmarkRows.filter(({ isUsual }) => isUsual).map(({ id }) => id);

/** Clicks a position of the radiograph, as it is fitted into its viewport. */
async function presses(spot: CephSpot): Promise<void> {
  const box = (await dentist.page.locator("canvas").first().boundingBox())!;
  const shape = { columns: film.columns, rows: film.rows, spacing: null };
  const whole = fitted({ zoom: 1, centre: [0, 0], turns: film.turns, mirrored: false }, shape, box);
  const [x, y] = applied(viewMatrix(whole, shape, box), spot);
  await dentist.page.mouse.move(box.x + x, box.y + y);
  await dentist.page.mouse.down();
  await dentist.page.mouse.up();
}
const opens = (panel: string) =>
  dentist.page.getByRole("tab", { name: dentist.t(`ceph.panel.${panel}`), exact: true }).click();
const row = (measure: string) =>
  dentist.page.getByRole("row").filter({ has: dentist.page.getByRole("rowheader", { name: measure, exact: true }) });
const truth = (population: "white" | "peking" = "white") => {
  const { from, to, mm } = film.known;
  const width = mm / Math.hypot(to[0] - from[0], to[1] - from[1]);
  const calibration = { source: "points", width, magnification: film.magnification, line: null } as const;
  const content = { landmarks: film.landmarks, aspect: 1, calibration, population, remark: null };
  const { rows } = cephReport(content, { sex: "female", age: 27 }, "steiner");
  return (measure: string) => rows.find((one) => one.measure === measure)!.value!;
};

it("a film is calibrated by two points and traced landmark by landmark, and its values are the film's", async () => {
  const { page } = dentist;
  await dentist.goes(`/cephView?study=${named.studyId}&item=${named.instanceId}`);
  await dentist.sees(page.locator("canvas"));
  await dentist.sees(dentist.text("ceph.guide.next", { sign: "S" }));
  if (film.turns === 1) await page.keyboard.press("r");
  await opens("scale");
  await dentist.button("ceph.calibration.usePoints").click();
  await presses(film.known.from);
  await dentist.sees(dentist.text("ceph.calibration.second"));
  await presses(film.known.to);
  await dentist.field("ceph.calibration.mm").fill(String(film.known.mm));
  await dentist.button("ceph.calibration.apply").click();
  await dentist.field("ceph.calibration.magnification").fill(film.magnification.toFixed(4));

  await opens("guide");
  for (const id of usual) {
    await dentist.sees(dentist.text("ceph.guide.next", { sign: landmarkSign(id) }));
    await presses(film.landmarks[id]!);
    // Under the magnifier the first; without a graphics processor each look through it takes its time.
    if (id === "S") await page.keyboard.press("m");
  }
  await dentist.sees(dentist.text("ceph.guide.done"));
  await page.mouse.move(5, 5);
  await looks(dentist, "ceph-guide");
  await opens("values");
  for (const measure of ["SNA", "SNB", "ANB"]) {
    const shown = Number.parseFloat((await row(measure).getByRole("cell").first().innerText()).replace("−", "-"));
    expect(Math.abs(shown - truth()(measure)), measure).toBeLessThan(0.6);
  }
  await dentist.sees(row("SND").getByText(dentist.t("ceph.notMeasured")));
  await page.keyboard.press("Control+s");
  await dentist.sees(dentist.text("ceph.state.saved", { version: 1 }));
  await looks(dentist, "ceph-values");
});

it("a landmark is corrected by keys, and the step can be taken back", async () => {
  await opens("guide");
  await dentist.page.getByRole("button", { name: /^A / }).click();
  const before = (await product.gets(cephCalls.open, named, session)).tracing!.content.landmarks.A!;
  await dentist.page.locator("canvas").first().focus();
  await dentist.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await dentist.page.keyboard.press("ArrowRight");
  await dentist.page.keyboard.press("Shift+ArrowRight");
  await dentist.sees(dentist.text("ceph.state.changed"));
  await dentist.page.keyboard.press("Control+s");
  await dentist.sees(dentist.text("ceph.state.saved", { version: 2 }));
  const after = (await product.gets(cephCalls.open, named, session)).tracing!.content.landmarks.A!;
  expect(Math.hypot(after[0] - before[0], after[1] - before[1])).toBeGreaterThan(1);
  for (let step = 0; step < 2; step++) await dentist.page.keyboard.press("Control+z");
  await dentist.page.keyboard.press("Control+s");
  await dentist.sees(dentist.text("ceph.state.saved", { version: 3 }));
  expect((await product.gets(cephCalls.open, named, session)).tracing!.content.landmarks.A).toEqual(before);
});

it("what is printed holds the values, the norms and the scale, in both languages", async () => {
  const { tracing } = await product.gets(cephCalls.open, named, session);
  const { rows } = cephReport(tracing!.content, { sex: "female", age: 27 }, "steiner");
  for (const [lang, words] of [
    ["zh", ["头影测量报告", "林小雨", "正常值：中国成人（北京大学）", "放大率"]],
    ["en", ["Cephalometric report", "Norms: Chinese adults, Peking University", "magnification"]],
  ] as const) {
    const { url } = await product.gets(cephCalls.paper, { ...named, analysis: "steiner", lang }, session);
    const pdf = Buffer.from(await (await fetch(product.address + url)).arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
    expect(pdf.length).toBeLessThan(3_000_000);
    const file = path.join(scratch(), `ceph-${lang}.pdf`);
    writeFileSync(file, pdf);
    if (!existsSync("/usr/bin/pdftotext")) continue;
    const text = execFileSync("/usr/bin/pdftotext", ["-layout", file, "-"], { encoding: "utf8" });
    for (const { measure, value } of rows.slice(0, 3))
      expect(text).toMatch(new RegExp(`${measure} +${value!.toFixed(1).replace("-", "−")} ±`));
    for (const word of words) expect(text).toContain(word);
  }
});

it("a tracing is seen on a telephone in English, and from the patient's record", async () => {
  await dentist.goes(`/patientDetail/page?id=${patientId}&tab=ceph`);
  await dentist.sees(dentist.link("ceph.open"));
  await looks(dentist, "ceph-films");
  await dentist.speaks("en");
  await dentist.page.setViewportSize(narrow);
  await dentist.link("ceph.open").click();
  await dentist.sees(dentist.page.getByRole("rowheader", { name: "SNA", exact: true }));
  await looks(dentist, "ceph-values");
  expect(dentist.complaints).toEqual([]);
});
