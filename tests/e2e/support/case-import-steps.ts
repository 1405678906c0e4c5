import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { labProgramCalls } from "@arcada/contract/order/lab-program.calls";
import type { Product } from "@arcada/testing/setup/product-process";
import { narrow, wide } from "./browser-user.ts";
import type { BrowserUser } from "./browser-user.ts";
import { countClicks } from "./count-clicks.ts";
import { readScan } from "./order-files.ts";
import { checkPage } from "./page-checks.ts";
import { createScratchFolder } from "./test-files.ts";

const caseName = "2026-11-20_李大伟";
const tooth = (number: number, type: string, material: string): string =>
  `<Tooth><Number>${number}</Number><ReconstructionType>${type}</ReconstructionType>${material}<Color>VCL:A2</Color></Tooth>`;

/** The folder of an exocad case: a crown of a material that only its laboratory knows, and a telescope. */
function writeExocadFolder(): string {
  const folder = path.join(createScratchFolder(), caseName);
  mkdirSync(folder, { recursive: true });
  const teeth =
    tooth(16, "AnatomicCrown", "<MaterialName>Katana STML</MaterialName><Material>XK</Material>") +
    tooth(11, "PrimaryTelescope", "<Material>AU</Material>");
  writeFileSync(
    path.join(folder, `${caseName}.dentalProject`),
    `\uFEFF<Treatment><TrayNo>T-17</TrayNo><Notes>Thin margin</Notes><Patient><PatientName>李</PatientName><PatientFirstName>大伟</PatientFirstName></Patient><Teeth>${teeth}</Teeth></Treatment>`,
  );
  for (const jaw of ["upper", "lower"] as const)
    writeFileSync(path.join(folder, `${caseName}-${jaw}jaw.stl`), readScan(jaw));
  return folder;
}

/** A laboratory says what its material means, and looks at its words. */
export async function teachMaterial(product: Product, lab: BrowserUser, session: { token: string }): Promise<void> {
  const words = [{ list: "materials", word: "Katana STML", code: "XK", means: "layeredZirconia" }] as const;
  await product.call(labProgramCalls.saveLabWords, { words: [...words], version: 0 }, session);
  await lab.goTo("/labPrograms");
  await expect.poll(() => lab.field("labCase.settings.word").first().inputValue()).toBe("Katana STML");
  await checkPage(lab, "lab-programs", { alsoDark: true });
  await lab.page.setViewportSize(narrow);
  await checkPage(lab, "lab-programs");
  await lab.page.setViewportSize(wide);
}

/** Drops the folder of a case on a new order, checks what was read, fills the order and sends it. Returns the clicks. */
export async function orderFromExocadFolder(person: BrowserUser): Promise<number> {
  await person.goTo("/sendPage/page");
  const dialog = person.page.getByRole("dialog");
  return countClicks(person, async () => {
    await person.button("labCase.import.action").click();
    await dialog.locator("input[type=file][webkitdirectory]").setInputFiles(writeExocadFolder());
    await person.waitFor(dialog.getByText(person.t("labCase.patient.name")));
    await person.waitFor(dialog.getByText(person.t("order.material.layeredZirconia")));
    await person.waitFor(dialog.getByText(person.t("labCase.remark.unknownWork", { word: "PrimaryTelescope" })));
    await checkPage(person, "case-import", { alsoDark: true });
    await person.page.setViewportSize(narrow);
    await checkPage(person, "case-import");
    await person.page.setViewportSize(wide);
    await person.button("labCase.import.fill").click();
    await dialog.waitFor({ state: "hidden" });
    await person.waitFor(person.text("order.form.complete"));
    await person.button("order.form.send").click();
    await person.page.waitForURL((url) => url.pathname === "/orderDetail/page");
  });
}
