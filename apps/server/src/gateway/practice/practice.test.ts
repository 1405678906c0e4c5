import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { findGdtRequest } from "@arcada/exchange/gdt/gdt-patient";
import { readGdt } from "@arcada/exchange/gdt/gdt-record";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestSetup } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";
import { answerVddsCall } from "./answer-vdds.ts";
import { GdtFolder } from "./gdt-folder.ts";
import { GdtResults } from "./gdt-results.ts";
import type { ListedImage } from "./practice-cloud.ts";

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-practice-"));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const gdt = (more: Record<string, string> = {}): Buffer =>
  Buffer.from(
    Object.entries({ "8000": "6302", "8315": "ARCADA", "8316": "PRAXIS", "3000": "4711", "3101": "M\xFCller", ...more })
      .map(([id, content]) => `${String(content.length + 9).padStart(3, "0")}${id}${content}\r\n`)
      .join(""),
    "latin1",
  );
const image = (id: string, more: Partial<ListedImage> = {}): ListedImage => ({
  id,
  uid: `1.2.${id}`,
  kind: "panorama",
  description: "OPG",
  takenAt: "2026-11-29T10:00:00",
  count: 1,
  ...more,
});

/** A folder of GDT with a stand-in for Arcada and for the browser. */
function gdtFolder() {
  const folder = newFolder();
  const opened: string[] = [];
  const lines: string[] = [];
  const state = { isAway: false };
  const reader = new GdtFolder({
    folder,
    name: "ARCADA",
    cloud: {
      createLaunchAddress: async ({ person }) => {
        if (state.isAway) throw new Error("away");
        return `https://arcada.test/launch?code=${person?.number}-${person?.name}`;
      },
    },
    openBrowser: async (address) => void opened.push(address),
    log: (line) => lines.push(line),
  });
  const put = (name: string, bytes: Uint8Array | string) => writeFileSync(path.join(folder, name), bytes);
  const lookTwice = async () => (await reader.look()) + (await reader.look());
  return { folder, opened, lines, state, reader, put, lookTwice };
}

describe("the folder of a practice program", () => {
  it("opens the patient of a complete file once and deletes the file", async () => {
    const { opened, put, lookTwice, reader, folder } = gdtFolder();
    put("ARCAPRAX.gdt", gdt());
    expect(await reader.look()).toBe(0);
    put("ARCAPRAX.gdt", gdt({ "3102": "Anna" }));
    expect(await lookTwice()).toBe(1);
    expect(opened).toEqual(["https://arcada.test/launch?code=4711-Müller^Anna"]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("leaves the files of other programs, and understands exchanged names", async () => {
    const { opened, put, lookTwice, folder } = gdtFolder();
    put("OTHEPRAX.gdt", gdt({ "8315": "OTHER" }));
    put("notes.txt", gdt());
    put("ARCAPRAX.001", gdt({ "8000": "6310" }));
    put("PRAXARCA.002", gdt({ "8315": "PRAXIS", "8316": "ARCADA" }));
    expect(await lookTwice()).toBe(1);
    expect(opened).toHaveLength(1);
    expect(readdirSync(folder).toSorted()).toEqual(["ARCAPRAX.001", "OTHEPRAX.gdt", "notes.txt"].toSorted());
  });

  it("keeps a request while Arcada is away, and drops it after a minute", async () => {
    const { opened, put, lookTwice, reader, state, folder, lines } = gdtFolder();
    state.isAway = true;
    put("ARCAPRAX.gdt", gdt());
    expect(await lookTwice()).toBe(0);
    expect(readdirSync(folder)).toHaveLength(1);
    state.isAway = false;
    expect(await reader.look()).toBe(1);
    put("ARCAPRAX.gdt", gdt());
    const old = new Date(Date.now() - 120_000);
    utimesSync(path.join(folder, "ARCAPRAX.gdt"), old, old);
    expect(await lookTwice()).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
    expect(opened).toHaveLength(1);
    expect(lines.join(" ")).not.toMatch(/4711|ller/);
  });

  it("says once that a file for it cannot be read, whatever it contains", async () => {
    const { opened, put, lookTwice, lines, folder } = gdtFolder();
    put("ARCAPRAX.gdt", Buffer.alloc(2_000_000, 0x41));
    put("ARCAPRAX.001", "no record\r\n");
    put("OTHEPRAX.001", "no record\r\n");
    expect((await lookTwice()) + (await lookTwice())).toBe(0);
    expect(opened).toEqual([]);
    expect(lines).toHaveLength(2);
    expect(readdirSync(folder)).toHaveLength(3);
  });
});

describe("the results for a practice program", () => {
  const request = findGdtRequest(readGdt(gdt({ "8402": "OPTO01" })));
  async function results() {
    const [own, out] = [newFolder(), newFolder()];
    const images: ListedImage[] = [image("1")];
    const options = {
      folder: own,
      out,
      name: "ARCADA",
      cloud: { listImages: async () => [...images], base: "https://arcada.test" },
      log: () => {},
    };
    const begin = () => GdtResults.opened(options);
    const one = await begin();
    if (request) await one.watch(request);
    return { one, begin, images, out, own };
  }

  it("are written once for each image that arrived, with a link to it", async () => {
    const { one, begin, images, out } = await results();
    expect(await one.report()).toBe(0);
    images.unshift(image("2", { description: "Größe", count: 3 }));
    expect(await one.report()).toBe(1);
    expect(await (await begin()).report()).toBe(0);
    expect(readdirSync(out)).toEqual(["PRAXARCA.gdt"]);
    const fields = readGdt(readFileSync(path.join(out, "PRAXARCA.gdt")));
    const field = (id: string) => fields.find((each) => each.id === id)?.content;
    expect([field("8000"), field("8315"), field("8316"), field("3000"), field("8402"), field("6200")]).toEqual([
      "6310",
      "PRAXIS",
      "ARCADA",
      "4711",
      "OPTO01",
      "29112026",
    ]);
    expect(field("6220")).toBe("Arcada: Größe (3)");
    expect(field("6305")).toBe("https://arcada.test/launch?requestType=STUDY&studyUID=1.2.2");
  });

  it("count on while the program has not read the ones before", async () => {
    const { one, images, out } = await results();
    images.unshift(image("3", { uid: null }), image("2"));
    expect(await one.report()).toBe(2);
    expect(readdirSync(out).toSorted()).toEqual(["PRAXARCA.001", "PRAXARCA.gdt"]);
    expect(readFileSync(path.join(out, "PRAXARCA.001"), "latin1")).toContain("practiceNumber=4711");
  });

  it("that a kill left on their way are put in place once", async () => {
    const { begin, out, own } = await results();
    const [file, target] = [path.join(out, ".arcada-9.tmp"), path.join(out, "PRAXARCA.gdt")];
    const state = JSON.parse(readFileSync(path.join(own, "opened.json"), "utf8")) as object;
    const kill = () =>
      writeFileSync(path.join(own, "opened.json"), JSON.stringify({ ...state, pending: { file, target } }));
    writeFileSync(file, "result");
    kill();
    await begin();
    expect(readFileSync(target, "utf8")).toBe("result");
    rmSync(target);
    kill();
    await begin();
    expect(readdirSync(out)).toEqual([]);
  });

  it("end twelve hours after the request", async () => {
    const { one, images, out } = await results();
    images.unshift(image("2"));
    expect(await one.report(Date.now() + 13 * 3_600_000)).toBe(0);
    expect(readdirSync(out)).toEqual([]);
  });
});

describe("a call of VDDS-media", () => {
  const call = (text: string): string => {
    const file = path.join(newFolder(), "MME505F.tmp");
    writeFileSync(file, text, "latin1");
    return file;
  };
  const tools = {
    cloud: { createLaunchAddress: () => Promise.reject(new Error("away")), listImages: async () => [image("1")] },
    openBrowser: async () => {},
  };
  const answered = async (text: string, more = {}) => {
    const file = call(text);
    const level = await answerVddsCall(file, { ...tools, ...more });
    return { level, text: readFileSync(file, "latin1") };
  };

  it("lists the images of a patient", async () => {
    const { level, text } = await answered("[PATID]\r\nPVS=Z1\r\nPATID=4711\r\nREADY=0\r\n");
    expect(level).toBe(0);
    expect(text).toContain("[PATID]\r\nPVS=Z1\r\nPATID=4711\r\nERRORLEVEL=0\r\nREADY=1\r\n[MMOS]\r\nCOUNT=1\r\n");
    expect(text).toContain("MMOID=1\r\nDATE=20261129\r\nTIME=10:00\r\n");
  });

  it.each([
    ["[PATIENT]\r\nPATID=4711\r\n", 3, "away"],
    ["[PATIENT]\r\nLASTNAME=A\r\n", 1, "neither"],
    ["[MMOIDS]\r\nCOUNT=1\r\nEXT=JPG\r\nMMOID1=x\r\n", 2, "stay in Arcada"],
    ["[MMOIDS]\r\nCOUNT=1\r\nMMOID1=..\\evil\r\n", 1, "does not know"],
  ])("%j is answered with level %i", async (text, level, words) => {
    const answer = await answered(text);
    expect(answer.level).toBe(level);
    expect(answer.text).toContain(words);
    expect(answer.text).toMatch(/READY=1\r\n$/);
  });

  it("is answered in time although Arcada says nothing", async () => {
    const cloud = { ...tools.cloud, listImages: () => new Promise<never>(() => {}) };
    const { level, text } = await answered("[PATID]\r\nPATID=1\r\n", { cloud, deadlineMs: 30 });
    expect([level, text.includes("no answer in time")]).toEqual([3, true]);
  });

  it("does not touch a file that is none", async () => {
    for (const text of ["a letter", `[A]\r\n${"x".repeat(300_000)}`, "\0\0"]) {
      const file = call(text);
      await expect(answerVddsCall(file, tools)).rejects.toThrow(/VDDS-media|notIni|large/);
      expect(readFileSync(file, "latin1")).toBe(text);
    }
  });
});

/** Binds a device to the clinic, as its manager does. */
async function bindGateway({ server, clinic }: TestSetup): Promise<string> {
  const service = await server.createUser("afterSalesAdmin");
  const product = { product: "Gateway", serialNumber: `G-${Date.now()}`, model: "1" };
  const { activationCode } = await service.call("device.register", product);
  const bound = await clinic.call("device.bind", { serialNumber: product.serialNumber, activationCode, name: "Desk" });
  return bound.key;
}

describe("the program that a practice program starts", () => {
  it("opens the patient in the browser by a code that works once, for the clinic's own people", async () => {
    const env = await setup();
    const key = await bindGateway(env);
    const { id } = await env.clinic.call("patient.create", {
      name: "Anna Müller",
      sex: "female",
      birthDate: "1985-09-08",
      entryNumber: "4711",
    });
    const folder = newFolder();
    const [browser, said, file] = ["browser.sh", "said", "call.tmp"].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > "${said}.part" && mv "${said}.part" "${said}"\n`, {
      mode: 0o755,
    });
    writeFileSync(file, "[PATIENT]\r\nPATID=4711\r\nLASTNAME=M\xFCller\r\n", "latin1");
    const main = path.join(import.meta.dirname, "../main.ts");
    const environment = {
      GATEWAY_CLOUD: env.server.address,
      GATEWAY_KEY: key,
      GATEWAY_BROWSER: browser,
      GATEWAY_DIR: folder,
    };
    await promisify(execFile)(process.execPath, [main, "vdds", file], { env: { ...process.env, ...environment } });
    await expect.poll(() => existsSync(said), { timeout: 5000 }).toBe(true);
    expect(readFileSync(file, "latin1")).toMatch(/ERRORLEVEL=0\r\nREADY=1\r\n$/);
    const code = new URL(readFileSync(said, "utf8")).searchParams.get("code") ?? "";
    const stranger = (await setup()).clinic;
    expect(refusalOf(await stranger.ask("practice.open", { code }))).toBe("launchSpent");
    expect(await env.dentist.call("practice.open", { code })).toMatchObject({ patientId: id, sender: "Desk" });
    expect(refusalOf(await env.dentist.ask("practice.open", { code }))).toBe("launchSpent");
  });
});
