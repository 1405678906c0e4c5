import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { sendOrder, smallScanStl, takeStep } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const bridge = { teeth: [11, 12, 21], kind: "bridge", material: "pressCeramic", shade: "3M2", pontics: [11] } as const;
const change = {
  items: [{ ...bridge, teeth: [...bridge.teeth], pontics: [...bridge.pontics], stumpShade: "ND3" as const }],
  instructions: "咬合稍放低。 Keep the contacts light for Şükrü Yılmaz.",
  sourceOrder: "2026-0042",
  noDigitalFiles: false,
};

async function printed(person: TestUser, id: string, how: { lang?: "zh" | "en"; teeth?: "palmer" | "universal" } = {}) {
  const { url } = await person.call("order.prescription", { id, ...how });
  const answer = await fetch(person.server.address + url);
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    pdf: Buffer.from(await answer.arrayBuffer()),
  };
}

/** Returns the words of the PDF as a PDF reader finds them; empty if the machine has no such reader. */
function wordsOf(pdf: Buffer): string {
  if (!existsSync("/usr/bin/pdftotext")) return "";
  const folder = mkdtempSync(path.join(tmpdir(), "paper-"));
  const file = path.join(folder, "paper.pdf");
  writeFileSync(file, pdf);
  const text = execFileSync("/usr/bin/pdftotext", ["-layout", file, "-"], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return text;
}

it("prints the prescription with real text in both languages, small, with every file's hash", async () => {
  const env = await setup();
  const upload = await env.dentist.upload("upper 王.stl", smallScanStl());
  const order = await sendOrder(env, { ...change, uploads: [{ upload, role: "upperScan" }] });
  const zh = await printed(env.dentist, order.id, { lang: "zh" });
  expect([zh.status, zh.type, zh.pdf.subarray(0, 5).toString()]).toEqual([200, "application/pdf", "%PDF-"]);
  expect(zh.pdf.length).toBeLessThan(300_000);
  const en = await printed(env.lab, order.id, { lang: "en", teeth: "universal" });
  const [chinese, english] = [wordsOf(zh.pdf), wordsOf(en.pdf)];
  if (chinese === "") return;
  for (const word of [
    "义齿设计单",
    order.number,
    "王小明",
    "12, 11, 21",
    "桥",
    "3M2",
    "ND3",
    "咬合稍放低",
    "Şükrü Yılmaz",
  ])
    expect(chinese).toContain(word);
  for (const word of ["Dental prescription", "Bridge", "Pressed ceramic", "7–9", "2026-0042", order.files[0].sha256])
    expect(english).toContain(word);
}, 90_000);

it("prints for a lab what the lab may know: the masked name, and nothing once the order ended unaccepted", async () => {
  const env = await setup({ clinic: { hidePatientNames: true } });
  const patientId = await createPatient(env.clinic);
  const upload = await env.dentist.upload("王小明 upper.stl", smallScanStl());
  const order = await sendOrder(env, { ...change, patientId, uploads: [{ upload, role: "upperScan" }] });
  const { url } = await env.lab.call("order.prescription", { id: order.id, lang: "zh" });
  const words = wordsOf((await printed(env.lab, order.id, { lang: "zh" })).pdf);
  if (words !== "") {
    expect(words).toContain("王**");
    expect(words).not.toContain("小明");
  }
  await takeStep(env.lab, order, "refuse", { reason: "no capacity" });
  expect(refusalOf(await env.lab.ask("order.prescription", { id: order.id }))).toBe("notAllowed");
  expect((await fetch(env.lab.server.address + url)).status).toBe(refusals.notAllowed.status);
  expect((await printed(env.dentist, order.id)).status).toBe(200);
});

it("opens a PDF only for the user for whom it was created", async () => {
  const env = await setup();
  const order = await sendOrder(env);
  const other = await setup();
  expect(refusalOf(await other.lab.ask("order.prescription", { id: order.id }))).toBe("notFound");
  const { url } = await env.lab.call("order.prescription", { id: order.id });
  const { address } = env.lab.server.running;
  const altered = [url.replace("/en/", "/zh/"), url.replace(env.lab.iid, env.clinic.iid), url.replace(/s=.*/, "s=x")];
  for (const one of altered) expect((await fetch(address + one)).status).toBe(refusals.linkExpired.status);
  await env.lab.call("account.logout", {});
  expect((await fetch(address + url)).status).toBe(refusals.linkExpired.status);
});
