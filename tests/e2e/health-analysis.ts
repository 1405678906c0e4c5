import { expect } from "vitest";
import { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import { chartCalls } from "@arcada/contract/chart/chart.calls";
import { packFile, triedPack, wrongHash } from "./health-world.ts";
import type { Walk } from "./health-walk.ts";
import { wears } from "./looking.ts";
import type { Person } from "./person.ts";

export async function installsEngines(walk: Walk): Promise<void> {
  const person = await walk.sits("en");
  const { page } = person;
  await person.goes("/engines");
  await person.sees(page.getByRole("heading", { name: person.t("analysis.engines.title") }));
  const installs = async (file: string) => page.locator("input[type=file][accept*=zip]").setInputFiles(file);
  await installs(await packFile("wrong.zip", wrongHash));
  await person.sees(page.getByText(person.t("analysis.error.packTampered")));
  await walk.sees(person, "engines-wrong");
  await installs(await packFile("good.zip"));
  await person.sees(page.getByText("bench.findings").first());
  await person.button("analysis.remote.new").click();
  const dialog = page.getByRole("dialog");
  const fills = async (server: string): Promise<void> => {
    await person.field("analysis.remote.address", dialog).fill(server);
    await person.field("analysis.remote.model", dialog).fill("findings");
    await person.field("analysis.remote.manifest", dialog).fill(walk.models.manifest);
    await person.field("analysis.remote.card", dialog).fill(walk.models.card);
    await dialog.getByRole("button", { name: person.t("analysis.remote.save"), exact: true }).click();
  };
  await fills("http://10.9.9.9:8000");
  await person.sees(dialog.getByText(person.t("analysis.error.hostForbidden")));
  await walk.keeps(person, "engines-remote-forbidden-en-1440");
  await fills(`http://${walk.models.host}`);
  await dialog.waitFor({ state: "hidden" });
  await person.sees(page.getByText("remote.findings").first());
  await walk.sees(person, "engines");
  const { pack, trial } = await triedPack();
  await installs(pack);
  await person.sees(page.getByText("test.teeth").first());
  await page
    .getByLabel(`${person.t("analysis.trial.add")}: bench.findings`)
    .first()
    .setInputFiles(trial);
  await person.sees(page.getByText(person.t("refusals.trialOther", { engine: "test.teeth", version: "1.0.0" })));
  await page
    .getByLabel(`${person.t("analysis.trial.add")}: test.teeth`)
    .first()
    .setInputFiles(trial);
  await person.sees(page.getByText(person.t("analysis.trial.passed")));
  await walk.sees(person, "engines-tried");
  // The trial of another pack, and nothing else.
  expect(person.complaints).toEqual([expect.stringContaining("status of 422")]);
  await person.leaves();
}

export async function reviews(walk: Walk): Promise<void> {
  const person = await walk.sits("zh");
  const { page } = person;
  await analyses(walk, person, "bench.findings");
  await analyses(walk, person, "remote.findings");
  expect(walk.models.seen).toHaveLength(1);
  for (const word of ["王小明", "Xiaoming", walk.world.patient])
    expect(walk.models.seen[0]!.includes(word)).toBe(false);
  await person.goes(walk.tab("analyses"));
  await person.sees(person.text("analysis.list.open", { number: 4 }));
  await walk.sees(person, "analyses");
  await person.goes(`/analysis/page?id=${(await found(walk, "bench.findings"))!.id}`);
  await person.sees(page.getByRole("heading", { name: person.t("analysis.result.suggestions") }));
  await walk.sees(person, "review-open");
  await page.keyboard.press("a");
  await page.keyboard.press("a");
  await page.keyboard.press("e");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: person.t("analysis.review.severity") }).waitFor({ state: "detached" });
  await walk.keeps(person, "review-edit-zh-1440");
  await dialog.getByLabel(person.t("analysis.review.remark")).fill("根尖暗影 apical");
  await dialog.getByRole("button", { name: person.t("analysis.review.use"), exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.keyboard.press("r");
  await person.sees(person.text("analysis.review.chosen.reject"));
  await walk.sees(person, "review-chosen", ["zh"]);
  await person.button("analysis.review.finish", { number: 4 }).click();
  await person.sees(person.text("analysis.review.finished"));
  await walk.sees(person, "review-done");
  const { content } = await walk.product.gets(
    chartCalls.detail,
    { patientId: walk.world.patient },
    { token: walk.world.token },
  );
  const findings = content.teeth.flatMap(({ fdi, findings: all }) => all.map(({ code }) => `${fdi} ${code}`));
  expect(findings.toSorted()).toEqual(["15 filling", "16 caries", "36 periapicalRadiolucency"]);
  expect(person.complaints).toEqual([]);
  await person.leaves();
}

async function analyses(walk: Walk, person: Person, engine: string): Promise<void> {
  await person.goes(walk.tab("analyses"));
  const choice = person.page.getByRole("combobox", { name: person.t("analysis.start.image") });
  await choice.click();
  await person.page
    .getByRole("option", { name: new RegExp(person.t("study.kind.panorama")) })
    .first()
    .click();
  const start = new RegExp(`^${person.t("analysis.start.button")}: .*${engine}`);
  await person.page.getByRole("button", { name: start }).click();
  await expect.poll(async () => (await found(walk, engine))?.state, { timeout: 90_000 }).toBe("done");
}
const found = async (walk: Walk, engine: string) =>
  (await walk.product.gets(analysisCalls.list, { patientId: walk.world.patient }, { token: walk.world.token })).find(
    (one) => one.engine.id === engine,
  );

export async function chartsByKeys(walk: Walk): Promise<void> {
  const person = await walk.sits("zh");
  const { page } = person;
  await person.goes(walk.tab("chart"));
  const teeth = page.getByRole("group", { name: person.t("chart.label"), exact: true });
  await teeth.locator('[tabindex="0"]').first().focus();
  const before = await walk.product.gets(
    chartCalls.detail,
    { patientId: walk.world.patient },
    { token: walk.world.token },
  );
  // In the order of the rows: what was accepted keeps its code.
  const codes: Record<number, string> = { 2: "1", 3: "3", 31: "4" };
  for (let tooth = 0; tooth < 32; tooth++) await page.keyboard.press(codes[tooth] ?? "0");
  await walk.sees(person, "chart-typed");
  const open = await walk.product.gets(
    chartCalls.detail,
    { patientId: walk.world.patient },
    { token: walk.world.token },
  );
  expect(open.version).toBe(before.version);
  await person.button("chart.saveConfirm").click();
  await person.button("chart.discard").waitFor({ state: "hidden" });
  const slider = page.getByRole("slider", { name: person.t("chart.history.slider") });
  await slider.focus();
  await page.keyboard.press("ArrowLeft");
  const [was] = person.t("chart.history.version", { version: before.version, time: "|", name: "" }).split("|");
  await person.sees(page.getByText(new RegExp(`^${was}`)));
  await walk.sees(person, "chart-history");
  await wears(person, "dark");
  await walk.keeps(person, "chart-zh-1440-dark");
  await wears(person, "light");
  expect(person.complaints).toEqual([]);
  await person.leaves();
}
