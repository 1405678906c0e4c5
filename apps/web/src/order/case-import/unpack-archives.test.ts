import { BlobWriter, TextReader, Uint8ArrayReader, ZipWriter } from "@zip.js/zip.js/lib/zip-core-native.js";
import { describe, expect, it } from "vitest";
import { present } from "@arcada/testing/require-present";
import { listDroppedFiles } from "./unpack-archives.ts";

async function zip(files: Record<string, string | Blob>, password?: string): Promise<Blob> {
  const writer = new ZipWriter(new BlobWriter(), password === undefined ? {} : { password });
  for (const [name, content] of Object.entries(files))
    await writer.add(
      name,
      typeof content === "string"
        ? new TextReader(content)
        : new Uint8ArrayReader(new Uint8Array(await content.arrayBuffer())),
    );
  return writer.close();
}
const list = (path: string, file: Blob) => listDroppedFiles([{ path, file }], false);
const textOf = async (file: { read: () => Promise<Uint8Array> }) => new TextDecoder().decode(await file.read());

describe("the files that were dropped", () => {
  it("include those of an archive, and of an archive within it, as if they were folders", async () => {
    const inner = await zip({ "upper.stl": "mesh", "deep.zip": await zip({ "never.stl": "x" }) });
    const found = await list("HART_1.zip", await zip({ "HART_1.xml": "<x/>", "scans.zip": inner }));
    expect(found.map(({ path }) => path)).toEqual([
      "HART_1/HART_1.xml",
      "HART_1/scans/upper.stl",
      "HART_1/scans/deep.zip",
    ]);
    expect(await textOf(present(found[1]))).toBe("mesh");
  });

  it.each(["../evil.stl", "b/../../evil.stl", "/etc/evil.stl", "C:/evil.stl", "..\\evil.stl"])(
    "never lie outside the archive's own folder: %s",
    async (name) => {
      const found = await list("a.zip", await zip({ [name]: "x", "b/good.stl": "x" })).catch(() => []);
      expect(found.map(({ path }) => path).filter((path) => path.includes("evil"))).toEqual([]);
    },
  );

  it.each([
    ["has a password", () => zip({ "a.stl": "mesh" }, "secret"), "encrypted"],
    ["is no archive", () => Promise.resolve(new Blob(["PK, but nothing else"])), "damaged"],
    [
      "is cut off",
      async () => {
        const whole = await zip({ "a.stl": "mesh".repeat(1000) });
        return whole.slice(0, whole.size - 30);
      },
      "damaged",
    ],
  ])("of an archive that %s are refused with a reason", async (_what, make, problem) => {
    await expect(make().then((file) => list("a.zip", file))).rejects.toMatchObject({ problem });
  });

  it("are refused if an archive says that one is larger than any scan", async () => {
    const bytes = new Uint8Array(await (await zip({ "a.stl": "mesh" })).arrayBuffer());
    const view = new DataView(bytes.buffer);
    const directory = bytes.findIndex((_, at) => at + 4 <= bytes.length && view.getUint32(at) === 0x504b0102);
    view.setUint32(directory + 24, 3_000_000_000, true);
    await expect(list("a.zip", new Blob([bytes]))).rejects.toMatchObject({ problem: "tooLarge" });
  });

  it("stop being unpacked when there is more than the archive says", async () => {
    const bytes = new Uint8Array(await (await zip({ "a.stl": "mesh".repeat(5000) })).arrayBuffer());
    const view = new DataView(bytes.buffer);
    const directory = bytes.findIndex((_, at) => at + 4 <= bytes.length && view.getUint32(at) === 0x504b0102);
    view.setUint32(directory + 24, 10, true);
    const [file] = await list("a.zip", new Blob([bytes]));
    await expect(present(file).read()).rejects.toMatchObject({ problem: "damaged" });
  });
});
