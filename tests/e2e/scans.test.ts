import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { Mesh } from "@arcada/imaging/mesh/mesh";
import { writePly, writeStl } from "@arcada/imaging/mesh/write";
import { makeHead } from "@arcada/imaging/phantom/head";
import { archScan } from "@arcada/imaging/phantom/scan";
import { moved, type Movement } from "@arcada/imaging/surface/movement";
import { ingestOver } from "../../demo/ingest-over.ts";
import { launchBrowser } from "../browser.ts";
import { Product } from "../product.ts";
import { signsIn } from "./entering.ts";
import { keepsFailures, looks } from "./looking.ts";
import { Person, narrow } from "./person.ts";
import { boxOf, changes, isDrawn } from "./pixels.ts";

const email = "scans@clinic.test";
const product = new Product();
let browser: Browser;
let dentist: Person;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  const first = await product.register(email, "clinicManager");
  const { id: iid } = await product.gets(
    institutionCalls.create,
    { name: "Morning", type: "clinic", country: "CN" },
    { token: first },
  );
  const { token } = await product.gets(institutionCalls.switch, { iid }, { token: first });
  const ask = { token };
  const { id: patientId } = await product.gets(
    patientCalls.create,
    { name: "王芳", sex: "female", birthDate: "1985-09-09" },
    ask,
  );
  const uploads = await Promise.all(scans().map(([name, bytes]) => product.upload(token, name, bytes)));
  const { id } = await product.gets(studyCalls.open, { patientId, uploads }, ask);
  const job = await ingestOver(() => product.gets(studyCalls.job, { id }, ask));
  dentist = await Person.sitsDown(browser, product.address, "zh");
  await signsIn(dentist, email);
  await dentist.goes(`/viewer?study=${job.studies[0]!}`);
});
keepsFailures("scans", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

/** Scans of both jaws, and the lower one again in another scanner orientation. */
function scans(): [string, Uint8Array][] {
  const head = makeHead("scans");
  const [upper, lower] = [archScan(head, "upper"), archScan(head, "lower")];
  const held: Movement = [0.9962, -0.0872, 0, 0.8, 0.0872, 0.9962, 0, -0.5, 0, 0, 1, 0.4];
  return [
    ["upper.ply", writePly(upper)],
    ["lower.stl", writeStl(lower)],
    ["lower-again.stl", writeStl(withPlaces(lower, (at) => moved(held, at)))],
  ];
}

function withPlaces(mesh: Mesh, change: (at: [number, number, number]) => readonly number[]): Mesh {
  const positions = mesh.positions.slice();
  for (let i = 0; i < positions.length; i += 3)
    positions.set(change([positions[i]!, positions[i + 1]!, positions[i + 2]!]), i);
  return { ...mesh, positions };
}

const stage = (): Locator => dentist.page.getByRole("group", { name: dentist.t("viewer.kind.models"), exact: true });
const tab = (name: string): Promise<void> =>
  dentist.page.getByRole("tab", { name: dentist.t(`viewer.model.tab.${name}`) }).click();

it("shows scans from every side", async () => {
  await isDrawn(stage());
  await dentist.sees(dentist.button("viewer.models.hide", { name: "lower-again.stl" }));
  const side = (letter: string) => stage().getByText(letter, { exact: true });
  await dentist.sees(side("R"));
  expect((await boxOf(side("R"))).x).toBeLessThan((await boxOf(side("L"))).x);
  await changes(stage(), () => dentist.page.keyboard.press("6"));
  expect((await boxOf(side("L"))).x).toBeLessThan((await boxOf(side("R"))).x);
  await changes(stage(), () => dentist.page.keyboard.press("o"));
  await changes(stage(), () => dentist.page.keyboard.press("1"));
  await dentist.button("viewer.models.hide", { name: "lower-again.stl" }).click();
});

it("cuts them by a plane and measures the line", async () => {
  // Straight from the front the plane is seen from its edge.
  const { x, y, width, height } = await boxOf(stage());
  await dentist.page.mouse.move(x + width / 4, y + height / 8);
  await dentist.page.mouse.down();
  await dentist.page.mouse.move(x + width / 3, y + height / 8, { steps: 4 });
  await dentist.page.mouse.up();
  await tab("section");
  await changes(stage(), () => dentist.button("viewer.model.section.way.left").click());
  await changes(stage(), () => dentist.page.getByText(dentist.t("viewer.model.section.side.above")).click());
  await dentist.sees(dentist.page.getByText(/^\d+\.\d\d\smm · /));
  await changes(stage(), () => dentist.button("viewer.model.section.face").click());
  await looks(dentist, "scans-section");
  await dentist.button("viewer.model.section.end").click();
});

it("colours the bite, and brings one scan onto another", async () => {
  await tab("compare");
  await dentist.button("viewer.model.compare.start").click();
  await dentist.sees(dentist.text("viewer.model.compare.legend.bite"));
  await dentist.page.keyboard.press("5");
  await looks(dentist, "scans-bite");
  await dentist.button("viewer.model.compare.end").click();
  await dentist.page.getByText(dentist.t("viewer.model.compare.version"), { exact: true }).click();
  const pair = (kind: string) => dentist.page.getByLabel(dentist.t(`viewer.model.compare.${kind}.version`));
  await pair("a").selectOption({ label: "lower-again.stl" });
  await pair("b").selectOption({ label: "lower.stl" });
  await dentist.button("viewer.model.align.begin").click();
  await dentist.button("viewer.model.align.fitAsIs").click();
  const rest = saying("viewer.model.align.rest", "mm", "([\\d.]+)");
  expect(Number(rest.exec(await dentist.page.getByText(rest).innerText())?.[1])).toBeLessThan(0.02);
  await dentist.button("viewer.model.compare.start").click();
  await dentist.sees(dentist.text("viewer.model.compare.p95"));
  await looks(dentist, "scans-versions");
});
/** The text with any number in it. */
const saying = (key: string, place: string, number: string): RegExp =>
  new RegExp(
    dentist
      .t(key, { [place]: "HERE" })
      .replace(/[()]/g, "\\$&")
      .replace("HERE", number),
  );

it("keeps lengths and comments at their places", async () => {
  await dentist.page.keyboard.press("5");
  const { x, y, width, height } = await boxOf(stage());
  const at = (right: number, down: number) => [x + width * right, y + height * down] as const;
  await dentist.page.keyboard.press("s");
  await dentist.page.mouse.click(...at(0.46, 0.8));
  await dentist.page.mouse.click(...at(0.54, 0.8));
  await dentist.sees(dentist.page.getByText(saying("viewer.model.along", "length", "([\\d.]+)\\smm")));
  await dentist.page.keyboard.press("n");
  await dentist.page.mouse.click(...at(0.51, 0.78));
  await dentist.page.getByRole("textbox", { name: dentist.t("viewer.model.pins.words") }).fill("11 边缘需检查");
  await dentist.button("viewer.model.pins.keep").click();
  await dentist.sees(dentist.text("viewer.marks.saved"));
  await looks(dentist, "scans-comment");
  await dentist.page.setViewportSize(narrow);
  await dentist.page.reload();
  await tab("pins");
  await dentist.sees(dentist.page.getByText("11 边缘需检查"));
  await isDrawn(stage());
  await looks(dentist, "scans-comment");
  expect(dentist.complaints).toEqual([]);
});
