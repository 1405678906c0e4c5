import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { reportCalls } from "@arcada/contract/report/report.calls";
import { mountCalls } from "@arcada/contract/study/series-mount.calls";
import { screenshotFolder, type HealthTour } from "./health-tour.ts";
import { findAxeViolations, findLastingFaults, setColourScheme } from "../support/page-checks.ts";
import { narrow, wide } from "../support/browser-user.ts";
import { getBox } from "../support/screen-pixels.ts";

export async function checkSuperimposition(tour: HealthTour): Promise<void> {
  const person = await tour.openBrowser("zh");
  await person.goTo(tour.tab("ceph"));
  await person.link("ceph.films.superimpose").click();
  await person.waitFor(person.page.getByRole("img", { name: person.t("ceph.over.picture") }));
  await tour.capture(person, "over-zh-1440");
  await setColourScheme(person, "dark");
  await tour.capture(person, "over-zh-1440-dark");
  await setColourScheme(person, "light");
  await person.page.setViewportSize(narrow);
  await tour.capture(person, "over-zh-390");
  expect(await findLastingFaults(() => findAxeViolations(person.page, "main"))).toEqual([]);
  await person.page.setViewportSize(wide);
  await person.switchLanguage("en");
  await tour.capture(person, "over-en-1440");
  await person.page.setViewportSize(narrow);
  await tour.capture(person, "over-en-390");
  await person.close();
}

export async function fillMountByTouch(tour: HealthTour): Promise<void> {
  const person = await tour.openBrowser("zh", { viewport: narrow, hasTouch: true });
  const { page, context } = person;
  await person.goTo(`/filmMount?patient=${tour.setup.patient}`);
  const loose = page.getByRole("list", { name: person.t("viewer.mount.loose") }).getByRole("button");
  await loose.nth(3).waitFor();
  await tour.capture(person, "mount-before-zh-390");
  const place = (name: string): Locator => page.locator(`[data-place="${name}"]`);
  // The save is delayed, because users do not wait for a slow connection.
  await page.route(`**${mountCalls.saveMount.path}`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  const touch = await context.newCDPSession(page);
  let isFirst = true;
  const drag = async (from: Locator, to: Locator): Promise<void> => {
    await to.scrollIntoViewIfNeeded();
    await from.scrollIntoViewIfNeeded();
    const [a, b] = [await getBox(from), await getBox(to)];
    const [begin, end] = [a, b].map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }));
    const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: object[]) =>
      touch.send("Input.dispatchTouchEvent", { type, touchPoints: touchPoints as { x: number; y: number }[] });
    await send("touchStart", [begin]);
    for (let part = 1; part <= 5; part++)
      await send("touchMove", [
        { x: begin.x + ((end.x - begin.x) * part) / 5, y: begin.y + ((end.y - begin.y) * part) / 5 },
      ]);
    if (isFirst) await tour.capture(person, "mount-dragging-zh-390");
    isFirst = false;
    await send("touchEnd", []);
  };
  await drag(loose.first(), place("upper.molarR"));
  await expect.poll(() => loose.count()).toBe(3);
  await loose.first().tap();
  await place("upper.canineR").tap();
  await expect.poll(() => loose.count()).toBe(2);
  await loose.first().tap();
  await place("upper.incisor").tap();
  await drag(loose.first(), place("lower.molarL"));
  await person.waitFor(person.text("viewer.mount.allPlaced"));
  await person.text("viewer.mount.saving").waitFor({ state: "hidden" });
  const saved = await tour.product.call(
    mountCalls.mount,
    { patientId: tour.setup.patient, kind: "films" },
    { token: tour.setup.token },
  );
  expect(JSON.stringify(saved)).toContain("lower.molarL");
  await place("upper.molarR").tap();
  await page.keyboard.press("r");
  await expect.poll(() => place("upper.molarR").locator("img").getAttribute("data-turned")).toBe("1");
  await person.text("viewer.mount.saving").waitFor({ state: "hidden" });
  await page.reload();
  await expect.poll(() => place("upper.molarR").locator("img").getAttribute("data-turned")).toBe("1");
  await tour.checkPage(person, "mount");
  expect(person.consoleProblems).toEqual([]);
  await person.close();
}

export async function mergeAndExportRecord(tour: HealthTour): Promise<void> {
  const person = await tour.openBrowser("zh");
  const { page } = person;
  await person.goTo(tour.tab("overview"));
  const openMerge = async () => {
    await person.button("patient.moreActions").click();
    await page.getByRole("menuitem", { name: person.t("patient.merge.title") }).click();
  };
  await openMerge();
  const drawer = page.getByRole("dialog");
  await drawer.getByText(person.t("patient.merge.reason.nameAndBirth")).first().waitFor();
  await tour.checkPage(person, "merge-candidates", ["zh"]);
  await drawer
    .getByRole("button", { name: person.t("patient.merge.compare") })
    .first()
    .click();
  const mergeButtons = drawer.getByRole("button", {
    name: new RegExp(`^${person.t("patient.merge.action", { number: "" }).trim().slice(0, 2)}`),
  });
  await mergeButtons.last().waitFor();
  await tour.checkPage(person, "merge-beside", ["zh"]);
  await mergeButtons.last().click();
  await drawer.waitFor({ state: "hidden" });
  await openMerge();
  await drawer.getByText(person.t("patient.merge.done")).waitFor();
  await tour.checkPage(person, "merge-done", ["zh"]);
  await drawer.getByRole("button", { name: person.t("patient.merge.undo"), exact: true }).click();
  await drawer.getByText(person.t("patient.merge.done")).waitFor({ state: "hidden" });
  await page.keyboard.press("Escape");
  await person.goTo(tour.tab("looks"));
  await person.waitFor(page.getByRole("table").first());
  await tour.checkPage(person, "looks");
  await person.switchLanguage("zh");
  const download = page.waitForEvent("download");
  await person.button("patient.data.archive").click();
  const file = path.join(screenshotFolder, "patient.zip");
  await (await download).saveAs(file);
  const listing = execFileSync("unzip", ["-l", file], { encoding: "utf8" });
  writeFileSync(`${file}.txt`, listing);
  for (const name of ["fhir", "panorama", "ct 20", ".pdf"]) expect(listing).toContain(name);
  expect(person.consoleProblems).toEqual([]);
  await person.close();
}

export async function captureArabicPages(tour: HealthTour): Promise<void> {
  const person = await tour.openBrowser("en");
  await person.context.addCookies([{ name: "language", value: "ar", url: tour.address }]);
  const [report] = (
    await tour.product.call(
      reportCalls.list,
      { patientId: tour.setup.patient, pageSize: 5 },
      { token: tour.setup.token },
    )
  ).list;
  const { studyId, instanceId } = tour.setup.tracings[0];
  const pages = {
    chart: tour.tab("chart"),
    report: `/reportDetail/page?id=${report.id}`,
    ceph: `/cephView?study=${studyId}&item=${instanceId}`,
    over: `/cephOver?patient=${tour.setup.patient}`,
    engines: "/engines",
    analyses: tour.tab("analyses"),
    mount: `/filmMount?patient=${tour.setup.patient}`,
  };
  for (const [name, to] of Object.entries(pages)) {
    await person.page.setViewportSize(wide);
    await person.goTo(to);
    await person.page.waitForTimeout(6000);
    await tour.capture(person, `${name}-ar-1440`);
    await setColourScheme(person, "dark");
    await tour.capture(person, `${name}-ar-1440-dark`);
    await setColourScheme(person, "light");
    await person.page.setViewportSize(narrow);
    await tour.capture(person, `${name}-ar-390`);
    expect(await findLastingFaults(() => person.findSidewaysScroll()), name).toEqual([]);
  }
  await person.close();
}
