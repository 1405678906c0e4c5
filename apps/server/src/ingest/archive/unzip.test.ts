import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { craftZip, type CraftedEntry } from "./crafted-zip.ts";
import { unpackReserve, unzip } from "./unzip.ts";

let home = "";
let count = 0;
beforeAll(async () => void (home = await mkdtemp(path.join(tmpdir(), "arcada-unzip-"))));
afterAll(() => rm(home, { recursive: true, force: true }));

async function unpacked(zip: Uint8Array, allowance = { entries: 100, bytes: 1e9 }, onFile = () => {}) {
  const folder = path.join(home, String(++count));
  const archive = `${folder}.zip`;
  await writeFile(archive, zip);
  return unzip(archive, folder, allowance, onFile);
}
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const one = (entry: CraftedEntry): Uint8Array => craftZip([{ data: text("x"), ...entry }]);
const refusalOf = (zip: Uint8Array, allowance?: { entries: number; bytes: number }) =>
  unpacked(zip, allowance).then(
    () => "taken",
    (error: { refusal?: string }) => error.refusal,
  );

describe("an archive", () => {
  it("gives its files with their bytes, without folders and what systems leave behind", async () => {
    const files = await unpacked(
      craftZip([
        { name: "a/" },
        { name: "a/I10", data: text("one") },
        { name: "__MACOSX/a/._I10", data: text("no") },
        { name: "a\\b.dcm", data: text("two") },
      ]),
    );
    expect(files.map(({ name }) => name)).toEqual(["a/I10", "a/b.dcm"]);
    expect(await Promise.all(files.map((file) => readFile(file.path, "utf8")))).toEqual(["one", "two"]);
  });

  it("distinguishes Chinese names in UTF-8 from those in the encoding of Chinese systems", async () => {
    // GB18030 of 上颌.stl, without any indication of its encoding.
    const gb = Uint8Array.of(0xc9, 0xcf, 0xf2, 0xa2, 0x2e, 0x73, 0x74, 0x6c);
    const files = await unpacked(
      craftZip([
        { name: "下颌.stl", flags: 0x800, data: text("1") },
        { name: gb, data: text("2") },
      ]),
    );
    expect(files.map(({ name }) => name)).toEqual(["下颌.stl", "上颌.stl"]);
  });

  it.each(["../x", "a/../../x", "/etc/x", "C:\\x", "a\\..\\..\\x", "..", "a/\0b"])(
    "is refused for the name %j",
    async (name) => {
      expect(await refusalOf(one({ name }))).toBe("zipPath");
    },
  );

  it("leaves no memory of a file to the garbage collector", async () => {
    const files = Array.from({ length: 21 }, (_, at) => ({ name: `I${at}`, data: randomBytes(500_000) }));
    const held: number[] = [];
    await unpacked(craftZip(files), undefined, () => void held.push(process.memoryUsage().arrayBuffers));
    const growths = held.slice(1).map((bytes, at) => bytes - (held[at] ?? 0));
    // Most files come and go without a collection.
    expect(growths.toSorted((one, other) => one - other)[10]).toBeLessThan(100_000);
  });

  it("writes nothing while the disk has too little space for it", async () => {
    const { bytes } = unpackReserve;
    unpackReserve.bytes = 2 ** 60;
    const refusal = await refusalOf(one({ name: "a" }));
    unpackReserve.bytes = bytes;
    expect(refusal).toBe("storageFull");
    expect(await readdir(path.join(home, String(count)))).toEqual([]);
  });

  it("is refused when its names alone would fill the memory", async () => {
    const names = (count: number) =>
      craftZip(Array.from({ length: count }, (_, place) => ({ name: `${place}${"x".repeat(60_000)}` })));
    expect(await refusalOf(names(100), { entries: 1000, bytes: 1e9 })).toBe("taken");
    expect(await refusalOf(names(300), { entries: 1000, bytes: 1e9 })).toBe("zipBomb");
  });

  it("is refused for a symbolic link", async () => {
    expect(await refusalOf(one({ name: "link", attributes: 0xa1ff << 16 }))).toBe("zipPath");
  });

  it("is refused when it needs a password", async () => {
    expect(await refusalOf(one({ name: "a", flags: 1 }))).toBe("zipEncrypted");
  });

  it("is refused when little unpacks to very much", async () => {
    expect(await refusalOf(one({ name: "zeros", data: new Uint8Array(12_000_000) }))).toBe("zipBomb");
  });

  it("is refused when entries share their bytes", async () => {
    const data = Uint8Array.from({ length: 1000 }, (_, at) => at % 251);
    expect(
      await refusalOf(
        craftZip([
          { name: "a", data },
          { name: "b", data, sharesBytes: true },
        ]),
      ),
    ).toBe("zipBomb");
  });

  it("is refused when it has too many entries, and when it needs more storage than is left", async () => {
    const three = craftZip(["a", "b", "c"].map((name) => ({ name, data: text("0123456789") })));
    expect(await refusalOf(three, { entries: 2, bytes: 1e9 })).toBe("zipBomb");
    expect(await refusalOf(three, { entries: 3, bytes: 29 })).toBe("quotaExceeded");
    expect(await refusalOf(three, { entries: 3, bytes: 30 })).toBe("taken");
  });

  it("is refused when the stated size or checksum of an entry is wrong", async () => {
    expect(await refusalOf(one({ name: "less", size: 0 }))).toBe("zipBroken");
    expect(await refusalOf(one({ name: "more", size: 1000 }))).toBe("zipBroken");
    expect(await refusalOf(one({ name: "other", sum: 1 }))).toBe("zipBroken");
    const cut = craftZip([{ name: "a", data: text("something longer than that") }]).subarray(0, 60);
    expect(await refusalOf(cut)).toBe("zipBroken");
  });

  it("writes nothing outside its folder, and gives files numbers instead of their names", async () => {
    const files = await unpacked(
      craftZip([
        { name: "passwd", data: text("x") },
        { name: "deep/er/y", data: text("y") },
      ]),
    );
    expect(await readdir(path.dirname(files[0].path))).toEqual(["0", "1"]);
  });
});
