import { expect } from "vitest";
import { addVirtualAuthenticator, signIn } from "../support/account-steps.ts";
import { email, type HealthTour } from "./health-tour.ts";
import { setColourScheme } from "../support/page-checks.ts";
import { BrowserUser } from "../support/browser-user.ts";
import { present } from "@arcada/testing/require-present";

export async function signReport(tour: HealthTour): Promise<void> {
  const person = await BrowserUser.open(tour.browser, tour.address, "zh");
  person.context.setDefaultTimeout(90_000);
  const { page } = person;
  await signIn(person, email);
  await addVirtualAuthenticator(person);
  await person.goTo("/profile/index");
  await person.button("factor.passkeyAdd").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(person.t("factor.passkeyName")).press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await person.goTo(tour.tab("reports"));
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
  await person.waitFor(page.getByRole("status").getByText(person.t("report.saved")));
  await page.waitForTimeout(2000);
  await tour.checkPage(person, "report-draft");
  await person.switchLanguage("zh");
  const id = present(new URL(page.url()).searchParams.get("id"), "id");
  expect(await tour.readPdf(id, "zh", "report-draft")).toContain("草稿");
  await person.button("report.action.sign").click();
  await person.waitFor(dialog.getByText("110441900000123"));
  await tour.capture(person, "report-sign-zh-1440");
  await dialog.getByRole("button", { name: person.t("report.sign.passkey"), exact: true }).click();
  await page.getByText(person.t("report.state.signed"), { exact: true }).first().waitFor();
  await tour.checkPage(person, "report-signed");
  await setColourScheme(person, "dark");
  await tour.capture(person, "report-signed-zh-1440-dark");
  await setColourScheme(person, "light");
  const [zh, en] = [await tour.readPdf(id, "zh", "report"), await tour.readPdf(id, "en", "report")];
  for (const word of ["口腔健康报告", "王小明"]) expect(zh).toContain(word);
  expect(en).toContain("Oral health report");
  const annexes = [
    await tour.readPdf(id, "zh", "report-annex", "annex"),
    await tour.readPdf(id, "en", "report-annex", "annex"),
  ];
  for (const word of ["技术附录", "bench.findings", "remote.findings", "Steiner"]) expect(annexes[0]).toContain(word);
  for (const word of ["Technical annex", "bench.findings 1.0.0", "remote.findings", "Reference values"])
    expect(annexes[1]).toContain(word);
  expect(zh).not.toContain("草稿");
  expect(person.consoleProblems).toEqual([]);
  await person.close();
}

export async function reportWithoutFindings(tour: HealthTour): Promise<void> {
  const person = await tour.openBrowser("zh");
  const { page } = person;
  await person.goTo(tour.tab("reports", tour.setup.emptyPatient));
  await person.button("report.new").click();
  await page.getByRole("menuitem", { name: person.t("report.newAi") }).click();
  await person.waitFor(page.getByText(person.t("report.score.notAssessed", { number: 28 })));
  await tour.checkPage(person, "report-none");
  const id = present(new URL(page.url()).searchParams.get("id"), "id");
  const [zh, en] = [await tour.readPdf(id, "zh", "report-none"), await tour.readPdf(id, "en", "report-none")];
  expect(zh).toContain("未评估");
  expect(en).toContain("No score");
  await person.close();
}
