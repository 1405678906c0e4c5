import { beforeAll, expect, it } from "vitest";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import { chartCalls } from "@arcada/contract/chart/chart.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { createPanorama } from "@arcada/phantom/radiograph/panorama";
import { createToothLists } from "@arcada/analysis/report/tooth-lists";
import { present } from "@arcada/testing/require-present";
import { demoAccounts } from "../../apps/server/src/domain/demo-accounts.ts";
import { setupDemoProduct } from "./support/demo-product.ts";
import { checkPage } from "./support/page-checks.ts";
import { certainTeeth, drawnHead, toothFinderSettings, writeToothFinder } from "./support/tooth-finder-pack.ts";

beforeAll(writeToothFinder);
const { product, signInAs } = setupDemoProduct("quota", toothFinderSettings());
const tokenOf = async (role: "operator" | "clinicMember"): Promise<{ token: string }> => {
  const { account } = present(demoAccounts.accounts.find((one) => one.role === role));
  const { token } = await product.call(signInCalls.login, { account, password: demoAccounts.password });
  return { token };
};

it("an included engine runs on upload once the operator switched it on, and Enter confirms its teeth", async () => {
  await product.call(
    analysisCalls.switchIncluded,
    { engine: "arcada.teeth", audience: "nobody" },
    await tokenOf("operator"),
  );
  const operator = await signInAs("operator", "zh");
  await operator.goTo("/today");
  await operator.waitFor(operator.text("today.operator.engines"));
  await operator.goTo("/aiEngines");
  await operator.waitFor(operator.text("analysis.arcada.teeth"));
  await checkPage(operator, "ai-engines-off", { alsoDark: true });
  await operator.page.getByLabel(operator.t("analysis.included.all"), { exact: true }).check();
  await operator.button("analysis.included.apply").click();
  await operator.waitFor(operator.text("analysis.included.applied", { engine: operator.t("analysis.arcada.teeth") }));
  await operator.close();

  const session = await tokenOf("clinicMember");
  const named = { name: "李一键", sex: "male", birthDate: "1990-01-02" } as const;
  const { id } = await product.call(patientCalls.create, named, session);
  const dentist = await signInAs("clinicMember", "zh");
  await dentist.goTo(`/patientDetail/page?id=${id}&tab=chart`);
  const before = await product.call(capacityCalls.analyses, {}, session);
  const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
  const who = { id: "P-1", name: "Li^Yijian", sex: "M", birthDate: "19900102" } as const;
  const film = createPanorama(drawnHead, who, { date: today });
  const upload = await product.upload(session.token, "panorama.dcm", film.bytes);
  const began = Date.now();
  await product.call(
    uploadJobCalls.open,
    { patientId: id, uploads: [upload], kind: "panorama", acceptMismatch: true },
    session,
  );
  const confirm = dentist.t("analysis.review.confirm", { count: certainTeeth.length });
  // No reload: the suggestions appear on the open page.
  await dentist.waitFor(dentist.page.getByRole("button", { name: confirm }));
  console.info(`suggestions appeared after ${Date.now() - began} ms`);
  await checkPage(dentist, "found-teeth", { alsoDark: true });
  await dentist.link("analysis.found.look").click();
  await dentist.waitFor(dentist.page.getByRole("button", { name: confirm }));
  await checkPage(dentist, "review-teeth");
  await dentist.page.locator("body").press("Enter");
  await dentist.waitFor(dentist.text("analysis.review.confirmed", { count: certainTeeth.length }));
  await checkPage(dentist, "review-teeth-done");

  const { teeth } = (await product.call(chartCalls.detail, { patientId: id }, session)).content;
  expect(teeth.map(({ fdi }) => fdi).toSorted((a, b) => a - b)).toEqual(certainTeeth.toSorted((a, b) => a - b));
  const lists = createToothLists(teeth);
  expect([lists.permanent.length, lists.missing, lists.healthy]).toEqual([certainTeeth.length, [], []]);
  const after = await product.call(capacityCalls.analyses, {}, session);
  expect(after.noi).toBe(before.noi + 1);
  expect(dentist.consoleProblems).toEqual([]);
});

it.each(["zh", "en"] as const)("an operator changes the quota of a laboratory (%s)", async (language) => {
  const operator = await signInAs("operator", language);
  await operator.goTo("/organisations");
  await operator.page.getByText("匠心义齿 Artisan Dental Lab").first().click();
  await operator.button("operator.organisations.quota.change").click();
  const dialog = operator.page.getByRole("dialog").last();
  await operator.field("operator.organisations.quota.gigabytes", dialog).fill("250");
  expect(await operator.field("operator.organisations.quota.analyses", dialog).count()).toBe(0);
  await checkPage(operator, "quota-dialog");
  await dialog.getByRole("button", { name: operator.t("common.save") }).click();
  await operator.waitFor(operator.text("operator.organisations.quota.changed"));
  await operator.waitFor(operator.page.getByText(/250/));
  await checkPage(operator, "quota-changed");
});
