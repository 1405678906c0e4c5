import { expect } from "vitest";
import { holdsPasskeys, signsIn } from "./entering.ts";
import { email, type Walk } from "./health-walk.ts";
import { wears } from "./looking.ts";
import { Person } from "./person.ts";

export async function signsReport(walk: Walk): Promise<void> {
  const person = await Person.sitsDown(walk.browser, walk.address, "zh");
  person.context.setDefaultTimeout(90_000);
  const { page } = person;
  await signsIn(person, email);
  await holdsPasskeys(person);
  await person.goes("/profile/index");
  await person.button("factor.passkeyAdd").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(person.t("factor.passkeyName")).press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await person.goes(walk.tab("reports"));
  await person.button("report.new").click();
  await page.getByRole("menuitem", { name: person.t("report.newAi") }).click();
  await person.field("report.form.diagnosis").fill("右上第一磨牙龋。Caries of 16.");
  const offered = page.getByRole("button", { name: person.t("report.form.takeOffered") });
  if (await offered.isVisible()) await offered.click();
  for (const box of await page
    .getByRole("group", { name: person.t("report.form.images") })
    .getByRole("checkbox")
    .all())
    await box.check();
  for (const box of await page
    .getByRole("group", { name: person.t("report.form.measurements") })
    .getByRole("checkbox")
    .all())
    await box.check();
  await person.sees(page.getByRole("status").getByText(person.t("report.saved")));
  await page.waitForTimeout(2000);
  await walk.sees(person, "report-draft");
  await person.speaks("zh");
  const id = new URL(page.url()).searchParams.get("id")!;
  expect(await walk.paper(id, "zh", "report-draft")).toContain("草稿");
  await person.button("report.action.sign").click();
  await person.field("report.sign.licence", dialog).fill("110441900000123");
  await walk.keeps(person, "report-sign-zh-1440");
  await dialog.getByRole("button", { name: person.t("report.sign.passkey"), exact: true }).click();
  await page.getByText(person.t("report.state.signed"), { exact: true }).first().waitFor();
  await walk.sees(person, "report-signed");
  await wears(person, "dark");
  await walk.keeps(person, "report-signed-zh-1440-dark");
  await wears(person, "light");
  const [zh, en] = [await walk.paper(id, "zh", "report"), await walk.paper(id, "en", "report")];
  for (const word of ["口腔健康报告", "王小明", "bench.findings", "remote.findings", "Steiner"])
    expect(zh).toContain(word);
  for (const word of ["Oral health report", "bench.findings 1.0.0", "remote.findings", "Reference values"])
    expect(en).toContain(word);
  expect(zh).not.toContain("草稿");
  expect(person.complaints).toEqual([]);
  await person.leaves();
}

export async function reportsNothing(walk: Walk): Promise<void> {
  const person = await walk.sits("zh");
  const { page } = person;
  await person.goes(walk.tab("reports", walk.world.empty));
  await person.button("report.new").click();
  await page.getByRole("menuitem", { name: person.t("report.newAi") }).click();
  await person.sees(page.getByText(person.t("report.score.notAssessed", { number: 28 })));
  await walk.sees(person, "report-none");
  const id = new URL(page.url()).searchParams.get("id")!;
  const [zh, en] = [await walk.paper(id, "zh", "report-none"), await walk.paper(id, "en", "report-none")];
  expect(zh).toContain("未评估");
  expect(en).toContain("No score");
  await person.leaves();
}
