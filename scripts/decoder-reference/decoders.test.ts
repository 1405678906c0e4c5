import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encodeHtj2k } from "../../packages/imaging/src/dicom/codec/htj2k.ts";
import { hasTestData, testData } from "./real-test-files.ts";
import { decodeOurPixels } from "./our-pixels.ts";
import { readDecoderTable, sameImageFiles } from "./decoder-table.ts";
import { renderedFiles, compareRenderedFrame } from "./rendered-frames.ts";
import { readRenderedTable } from "./rendered-table.ts";
import { decodeCodestream, hasDcmtk, hasOpenjpeg, decodeReferencePixels } from "./reference-pixels.ts";

const availableRows = readDecoderTable().filter(({ file }) => existsSync(join(testData, file)));

describe("the table of decoders", () => {
  it("holds no pixels that differ from another decoder's without a reason", () => {
    const odd = readDecoderTable().filter(
      ({ ours, theirs, note }) => "pixels" in ours && theirs?.pixels !== ours.pixels && note === undefined,
    );
    expect(odd.map(({ file }) => file)).toEqual([]);
  });

  it.skipIf(!hasTestData)(
    "is what our decoders make of every real file (ARCADA_TEST_DATA)",
    { timeout: 120_000 },
    async () => {
      expect(availableRows.length).toBeGreaterThan(100);
      for (const { file, ours } of availableRows) expect([file, await decodeOurPixels(file)]).toEqual([file, ours]);
    },
  );

  // Other releases of DCMTK may read more or less: what they do read must be the same.
  it.skipIf(!hasTestData || !hasDcmtk())(
    "is what the DCMTK of this machine makes of them (ARCADA_TEST_DATA)",
    { timeout: 300_000 },
    () => {
      const byDcmtk = availableRows.filter(
        ({ file, theirs }) => theirs?.by.startsWith("dcm") && !(file in sameImageFiles),
      );
      for (const { file, theirs } of byDcmtk)
        expect([file, decodeReferencePixels(file)?.pixels]).toEqual([file, theirs?.pixels]);
    },
  );
});

describe("rendered images", () => {
  const shown = new Map(readRenderedTable().map((row) => [row.file, row]));

  it("were within one shade of DCMTK's when the table was made, or differ for a reason", () => {
    const far = [...shown.values()].filter(({ furthest, note }) => (furthest ?? 0) > 1 && note === undefined);
    expect(far.map(({ file }) => file)).toEqual([]);
  });

  it(
    "match the table: synthetic ones always, real ones if available (ARCADA_TEST_DATA)",
    { timeout: 120_000 },
    async () => {
      for (const { file, bytes } of renderedFiles())
        expect([file, (await compareRenderedFrame(file, bytes, false))?.ours]).toEqual([file, shown.get(file)?.ours]);
    },
  );

  it.skipIf(!hasDcmtk())(
    "are within one shade of those of this machine's DCMTK: windows, tables, slopes, overlays",
    async () => {
      const made = renderedFiles().filter(
        ({ file }) => file.startsWith("made/") && shown.get(file)?.note === undefined,
      );
      for (const { file, bytes } of made)
        expect([file, (await compareRenderedFrame(file, bytes, true))?.furthest]).toEqual([
          file,
          expect.toSatisfy((far) => far <= 1),
        ]);
    },
  );
});

describe.skipIf(!hasOpenjpeg())("slices as they go to the viewer, in HTJ2K", () => {
  it("are read by OpenJPEG as the values that they were", async () => {
    const [columns, rows] = [200, 120];
    const values = Int16Array.from({ length: columns * rows }, (_, at) => ((at * 7919) % 65_536) - 32_768 + (at % 3));
    const stream = await encodeHtj2k(values, columns, rows);
    expect(decodeCodestream(stream)).toEqual(Array.from(values));
  });
});
