import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { reportCalls } from "@arcada/contract/report/report.calls";
import { mountCalls } from "@arcada/contract/study/mount.calls";
import { pictures, type Walk } from "./health-walk.ts";
import { axeFaults, lasting, wears } from "./looking.ts";
import { narrow, wide } from "./person.ts";
import { boxOf } from "./pixels.ts";

export async function laysOver(walk: Walk): Promise<void> {
  const person = await walk.sits("zh");
  await person.goes(walk.tab("ceph"));
  await person.link("ceph.films.superimpose").click();
  await person.sees(person.page.getByRole("img", { name: person.t("ceph.over.picture") }));
  await walk.keeps(person, "over-zh-1440");
  await wears(person, "dark");
  await walk.keeps(person, "over-zh-1440-dark");
  await wears(person, "light");
  await person.page.setViewportSize(narrow);
  await walk.keeps(person, "over-zh-390");
  expect(await lasting(() => axeFaults(person.page, "main"))).toEqual([]);
  await person.page.setViewportSize(wide);
  await person.speaks("en");
  await walk.keeps(person, "over-en-1440");
  await person.page.setViewportSize(narrow);
  await walk.keeps(person, "over-en-390");
  await person.leaves();
}

export async function mountsByTouch(walk: Walk): Promise<void> {
  const person = await walk.sits("zh", { viewport: narrow, hasTouch: true });
  const { page, context } = person;
  await person.goes(`/filmMount?patient=${walk.world.patient}`);
  const loose = page.getByRole("list", { name: person.t("viewer.mount.loose") }).getByRole("button");
  await loose.nth(3).waitFor();
  await walk.keeps(person, "mount-before-zh-390");
  const place = (name: string): Locator => page.locator(`[data-place="${name}"]`);
  // Nobody's hand waits for a slow line.
  await page.route(`**${mountCalls.saveMount.path}`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  const touch = await context.newCDPSession(page);
  let isFirst = true;
  const drags = async (from: Locator, to: Locator): Promise<void> => {
    await to.scrollIntoViewIfNeeded();
    await from.scrollIntoViewIfNeeded();
    const [a, b] = [await boxOf(from), await boxOf(to)];
    const [begin, end] = [a, b].map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }));
    const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: object[]) =>
      touch.send("Input.dispatchTouchEvent", { type, touchPoints: touchPoints as { x: number; y: number }[] });
    await send("touchStart", [begin!]);
    for (let part = 1; part <= 5; part++)
      await send("touchMove", [
        { x: begin!.x + ((end!.x - begin!.x) * part) / 5, y: begin!.y + ((end!.y - begin!.y) * part) / 5 },
      ]);
    if (isFirst) await walk.keeps(person, "mount-dragging-zh-390");
    isFirst = false;
    await send("touchEnd", []);
  };
  await drags(loose.first(), place("upper.molarR"));
  await expect.poll(() => loose.count()).toBe(3);
  await loose.first().tap();
  await place("upper.canineR").tap();
  await expect.poll(() => loose.count()).toBe(2);
  await loose.first().tap();
  await place("upper.incisor").tap();
  await drags(loose.first(), place("lower.molarL"));
  await person.sees(person.text("viewer.mount.allPlaced"));
  await person.text("viewer.mount.saving").waitFor({ state: "hidden" });
  const saved = await walk.product.gets(
    mountCalls.mount,
    { patientId: walk.world.patient, kind: "films" },
    { token: walk.world.token },
  );
  expect(JSON.stringify(saved)).toContain("lower.molarL");
  await walk.sees(person, "mount");
  expect(person.complaints).toEqual([]);
  await person.leaves();
}

export async function mergesAndTakesAlong(walk: Walk): Promise<void> {
  const person = await walk.sits("zh");
  const { page } = person;
  await person.goes(walk.tab("overview"));
  const opens = async () => {
    await person.button("patient.moreActions").click();
    await page.getByRole("menuitem", { name: person.t("patient.merge.title") }).click();
  };
  await opens();
  const drawer = page.getByRole("dialog");
  await drawer.getByText(person.t("patient.merge.reason.nameAndBirth")).first().waitFor();
  await walk.sees(person, "merge-candidates", ["zh"]);
  await drawer
    .getByRole("button", { name: person.t("patient.merge.compare") })
    .first()
    .click();
  const merges = drawer.getByRole("button", {
    name: new RegExp(`^${person.t("patient.merge.action", { number: "" }).trim().slice(0, 2)}`),
  });
  await merges.last().waitFor();
  await walk.sees(person, "merge-beside", ["zh"]);
  await merges.last().click();
  await drawer.waitFor({ state: "hidden" });
  await opens();
  await drawer.getByText(person.t("patient.merge.done")).waitFor();
  await walk.sees(person, "merge-done", ["zh"]);
  await drawer.getByRole("button", { name: person.t("patient.merge.undo"), exact: true }).click();
  await drawer.getByText(person.t("patient.merge.done")).waitFor({ state: "hidden" });
  await page.keyboard.press("Escape");
  await person.goes(walk.tab("looks"));
  await person.sees(page.getByRole("table").first());
  await walk.sees(person, "looks");
  await person.speaks("zh");
  const download = page.waitForEvent("download");
  await person.button("patient.data.archive").click();
  const file = path.join(pictures, "patient.zip");
  await (await download).saveAs(file);
  const listing = execFileSync("unzip", ["-l", file], { encoding: "utf8" });
  writeFileSync(`${file}.txt`, listing);
  for (const name of ["fhir", "panorama", "ct 20", ".pdf"]) expect(listing).toContain(name);
  expect(person.complaints).toEqual([]);
  await person.leaves();
}

export async function seesArabic(walk: Walk): Promise<void> {
  const person = await walk.sits("en");
  await person.context.addCookies([{ name: "language", value: "ar", url: walk.address }]);
  const [report] = (
    await walk.product.gets(
      reportCalls.list,
      { patientId: walk.world.patient, pageSize: 5 },
      { token: walk.world.token },
    )
  ).list;
  const { studyId, instanceId } = walk.world.tracings[0]!;
  const shown = {
    chart: walk.tab("chart"),
    report: `/reportDetail/page?id=${report!.id}`,
    ceph: `/cephView?study=${studyId}&item=${instanceId}`,
    over: `/cephOver?patient=${walk.world.patient}`,
    engines: "/engines",
    analyses: walk.tab("analyses"),
    mount: `/filmMount?patient=${walk.world.patient}`,
  };
  for (const [name, to] of Object.entries(shown)) {
    await person.page.setViewportSize(wide);
    await person.goes(to);
    await person.page.waitForTimeout(6000);
    await walk.keeps(person, `${name}-ar-1440`);
    await wears(person, "dark");
    await walk.keeps(person, `${name}-ar-1440-dark`);
    await wears(person, "light");
    await person.page.setViewportSize(narrow);
    await walk.keeps(person, `${name}-ar-390`);
    expect(await lasting(() => person.scrollsSideways()), name).toEqual([]);
  }
  await person.leaves();
}
