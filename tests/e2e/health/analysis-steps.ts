import { expect } from "vitest";
import { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import { chartCalls } from "@arcada/contract/chart/chart.calls";
import { writePack, writeTriedPack, wrongHashPack } from "./health-setup.ts";
import type { HealthTour } from "./health-tour.ts";
import { setColourScheme } from "../support/page-checks.ts";
import type { BrowserUser } from "../support/browser-user.ts";
import { present } from "@arcada/testing/require-present";

export async function installEngines(tour: HealthTour): Promise<void> {
  const person = await tour.openBrowser("en");
  const { page } = person;
  await person.goTo("/engines");
  await person.waitFor(page.getByRole("heading", { name: person.t("analysis.engines.title") }));
  const install = async (file: string) => page.locator("input[type=file][accept*=zip]").setInputFiles(file);
  await install(await writePack("wrong.zip", wrongHashPack));
  await person.waitFor(page.getByText(person.t("analysis.error.packTampered")));
  await tour.checkPage(person, "engines-wrong");
  await install(await writePack("good.zip"));
  await person.waitFor(page.getByText("bench.findings").first());
  await person.button("analysis.remote.new").click();
  const dialog = page.getByRole("dialog");
  const fillForm = async (server: string): Promise<void> => {
    await person.field("analysis.remote.address", dialog).fill(server);
    await person.field("analysis.remote.model", dialog).fill("findings");
    await person.field("analysis.remote.manifest", dialog).fill(tour.models.manifest);
    await person.field("analysis.remote.card", dialog).fill(tour.models.card);
    await dialog.getByRole("button", { name: person.t("analysis.remote.save"), exact: true }).click();
  };
  await fillForm("http://10.9.9.9:8000");
  await person.waitFor(dialog.getByText(person.t("analysis.error.hostForbidden")));
  await tour.capture(person, "engines-remote-forbidden-en-1440");
  await fillForm(`http://${tour.models.host}`);
  await dialog.waitFor({ state: "hidden" });
  await person.waitFor(page.getByText("remote.findings").first());
  await tour.checkPage(person, "engines");
  const { pack, trial } = await writeTriedPack();
  await install(pack);
  await person.waitFor(page.getByText("test.teeth").first());
  await page
    .getByLabel(`${person.t("analysis.trial.add")}: bench.findings`)
    .first()
    .setInputFiles(trial);
  await person.waitFor(page.getByText(person.t("refusals.trialOther", { engine: "test.teeth", version: "1.0.0" })));
  await page
    .getByLabel(`${person.t("analysis.trial.add")}: test.teeth`)
    .first()
    .setInputFiles(trial);
  await person.waitFor(page.getByText(person.t("analysis.trial.passed")));
  await tour.checkPage(person, "engines-tried");
  // The trial of another pack, and nothing else.
  expect(person.consoleProblems).toEqual([expect.stringContaining("status of 422")]);
  await person.close();
}

export async function reviewSuggestions(tour: HealthTour): Promise<void> {
  const person = await tour.openBrowser("zh");
  const { page } = person;
  await startAnalysis(tour, person, "bench.findings");
  await startAnalysis(tour, person, "remote.findings");
  expect(tour.models.inferenceBodies).toHaveLength(1);
  for (const word of ["王小明", "Xiaoming", tour.setup.patient])
    expect(tour.models.inferenceBodies[0].includes(word)).toBe(false);
  await person.goTo(tour.tab("analyses"));
  await person.waitFor(person.text("analysis.list.open", { number: 4 }));
  await tour.checkPage(person, "analyses");
  await person.goTo(`/analysis/page?id=${present(await findAnalysis(tour, "bench.findings")).id}`);
  await person.waitFor(page.getByRole("heading", { name: person.t("analysis.result.suggestions") }));
  await tour.checkPage(person, "review-open");
  await page.keyboard.press("a");
  await page.keyboard.press("a");
  await page.keyboard.press("e");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: person.t("analysis.review.severity") }).waitFor({ state: "detached" });
  await tour.capture(person, "review-edit-zh-1440");
  await dialog.getByLabel(person.t("analysis.review.remark")).fill("根尖暗影 apical");
  await dialog.getByRole("button", { name: person.t("analysis.review.use"), exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.keyboard.press("r");
  await person.waitFor(person.text("analysis.review.chosen.reject"));
  await tour.checkPage(person, "review-chosen", ["zh"]);
  await person.button("analysis.review.finish", { number: 4 }).click();
  await person.waitFor(person.text("analysis.review.finished"));
  await tour.checkPage(person, "review-done");
  const { content } = await tour.product.call(
    chartCalls.detail,
    { patientId: tour.setup.patient },
    { token: tour.setup.token },
  );
  const findings = content.teeth.flatMap(({ fdi, findings: all }) => all.map(({ code }) => `${fdi} ${code}`));
  expect(findings.toSorted()).toEqual(["15 filling", "16 caries", "36 periapicalRadiolucency"]);
  expect(person.consoleProblems).toEqual([]);
  await person.close();
}

async function startAnalysis(tour: HealthTour, person: BrowserUser, engine: string): Promise<void> {
  await person.goTo(tour.tab("analyses"));
  const choice = person.page.getByRole("combobox", { name: person.t("analysis.start.image") });
  await choice.click();
  await person.page
    .getByRole("option", { name: new RegExp(person.t("study.kind.panorama")) })
    .first()
    .click();
  const start = new RegExp(`^${person.t("analysis.start.button")}: .*${engine}`);
  await person.page.getByRole("button", { name: start }).click();
  await expect.poll(async () => (await findAnalysis(tour, engine))?.state, { timeout: 90_000 }).toBe("done");
}
const findAnalysis = async (tour: HealthTour, engine: string) =>
  (await tour.product.call(analysisCalls.list, { patientId: tour.setup.patient }, { token: tour.setup.token })).find(
    (one) => one.engine.id === engine,
  );

export async function editChartByKeyboard(tour: HealthTour): Promise<void> {
  const person = await tour.openBrowser("zh");
  const { page } = person;
  await person.goTo(tour.tab("chart"));
  const teeth = page.getByRole("group", { name: person.t("chart.label"), exact: true });
  await teeth.locator('[tabindex="0"]').first().focus();
  const before = await tour.product.call(
    chartCalls.detail,
    { patientId: tour.setup.patient },
    { token: tour.setup.token },
  );
  // The keys follow the order of the rows: an accepted finding keeps its code.
  const codes: Record<number, string> = { 2: "1", 3: "3", 31: "4" };
  for (let tooth = 0; tooth < 32; tooth++) await page.keyboard.press(codes[tooth] ?? "0");
  await tour.checkPage(person, "chart-typed");
  const open = await tour.product.call(
    chartCalls.detail,
    { patientId: tour.setup.patient },
    { token: tour.setup.token },
  );
  expect(open.version).toBe(before.version);
  await person.button("chart.saveConfirm").click();
  await person.button("chart.discard").waitFor({ state: "hidden" });
  const slider = page.getByRole("slider", { name: person.t("chart.history.slider") });
  await slider.focus();
  await page.keyboard.press("ArrowLeft");
  const [was] = person.t("chart.history.version", { version: before.version, time: "|", name: "" }).split("|");
  await person.waitFor(page.getByText(new RegExp(`^${was}`)));
  await tour.checkPage(person, "chart-history");
  await setColourScheme(person, "dark");
  await tour.capture(person, "chart-zh-1440-dark");
  await setColourScheme(person, "light");
  expect(person.consoleProblems).toEqual([]);
  await person.close();
}
