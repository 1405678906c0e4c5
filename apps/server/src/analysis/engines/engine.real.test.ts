import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { validateResult } from "@arcada/analysis/validate-result";
import { measurementInfo } from "@arcada/analysis/measure/measurement-engine-info";
import { measurementEngine } from "@arcada/analysis/measure/measurement-engine";
import { readEngineInput } from "./read-engine-input.ts";
import type { EngineSource } from "./engine-task-types.ts";

const data = process.env.ARCADA_TEST_DATA ?? path.join(import.meta.dirname, "../../../../../../shared/data");

/**
 * Columns of the contacts between the incisors, degrees between equal teeth, and whether both rows have teeth. The
 * radiographs with odd numbers served to tune the method.
 */
function readUnseenPanoramas() {
  const [, ...lines] = readFileSync(path.join(import.meta.dirname, "panorama-readings.tsv"), "utf8")
    .trim()
    .split("\n");
  return lines.flatMap((line) => {
    const [radiograph, upper, lower, tilt, rows] = line.split("\t");
    const contacts = [upper, lower].filter((one) => one !== "-").map(Number);
    const middle = contacts.reduce((sum, one) => sum + one, 0) / contacts.length;
    return Number(radiograph) % 2 === 0
      ? [{ radiograph, middle, tilt: Number(tilt), hasBothRows: rows === "both" }]
      : [];
  });
}

describe.skipIf(!existsSync(data))(
  "engines on real images (skipped without ARCADA_TEST_DATA)",
  { timeout: 120_000 },
  () => {
    type Image = Extract<EngineSource, { kind: "picture" }>;
    async function measureTeeth(file: string, { format, shows }: Pick<Image, "format" | "shows">) {
      const input = await readEngineInput({
        kind: "picture",
        path: path.join(data, file),
        format,
        shows,
        spacing: null,
      });
      const answer = await measurementEngine.analyse(input, {
        signal: new AbortController().signal,
        onProgress: () => {},
      });
      return validateResult(answer, measurementInfo, input);
    }

    it("find the metal in all four quadrants and the tilt of a panorama", async () => {
      const { observations } = await measureTeeth("pano-dicom/pano-CR-ModalityLUT.dcm", {
        format: "dicom",
        shows: "panorama",
      });
      const dense = observations.filter(({ code, value }) => code === "PAN_RADIOPAQUE" && value === true);
      expect(dense.map(({ target }) => target.kind === "region" && target.from)).toEqual([18, 24, 48, 34]);
      const tilt = observations.find(({ code }) => code === "PAN_TILT");
      expect(Math.abs(Number(tilt?.value))).toBeLessThan(2);
    });

    /**
     * Read by eye from radiographs with a grid, without any line of the engine. The radiographs themselves are not part
     * of the project.
     */
    it("measure the midline and tilt of 55 panoramas as a person reads them, or abstain", async () => {
      const far: number[] = [];
      const tilts: number[] = [];
      let [readable, lines] = [0, 0];
      for (const { radiograph, middle, tilt, hasBothRows } of readUnseenPanoramas()) {
        const { observations } = await measureTeeth(`pano-abdi116/images_w1024/${radiograph}.jpg`, {
          format: "jpeg",
          shows: "panorama",
        });
        const valueOf = (name: string): number => Number(observations.find(({ code }) => code === name)?.value ?? NaN);
        if (hasBothRows) readable++;
        if (hasBothRows && observations.some(({ code }) => code === "PAN_OCCLUSAL_LINE")) lines++;
        far.push(valueOf("PAN_MIDLINE") - 100 * (middle / 1024 - 0.5));
        tilts.push(valueOf("PAN_TILT") - tilt);
      }
      const given = (list: readonly number[]): number[] => list.filter(Number.isFinite);
      expect(lines / readable).toBeGreaterThan(0.92);
      expect(given(far).length).toBeGreaterThan(0.7 * readable);
      expect(Math.max(...given(far).map(Math.abs))).toBeLessThan(3);
      expect(Math.sqrt(given(tilts).reduce((sum, one) => sum + one * one, 0) / given(tilts).length)).toBeLessThan(0.7);
    });

    it("read the faint ruler at the side of a radiograph, and give no profile where the outline is hardly visible", async () => {
      const { observations, abstentions } = await measureTeeth("ceph-bolton/B1893L12.jpg", {
        format: "jpeg",
        shows: "lateralCeph",
      });
      // The film has 8 inches over 4,096 columns. It is 1,611 mm from the source, the middle of the head 1,524 mm.
      const truth = (8 * 25.4) / 4096 / (1611 / 1524);
      const scale = Number(observations.find(({ code }) => code === "CEPH_SCALE")?.value);
      expect(Math.abs(scale / truth - 1)).toBeLessThan(0.02);
      expect(abstentions).toMatchObject([{ code: "CEPH_PROFILE", reason: "selfCheckFailed" }]);
    });

    it("report only the quality of a portrait", async () => {
      for (const shows of ["panorama", "lateralCeph"] as const) {
        const { observations } = await measureTeeth("vl-photo-ortho/EV-17_EO.FF.LC.CO.png", { format: "png", shows });
        expect(observations.filter(({ code }) => !code.startsWith("IQ_"))).toEqual([]);
      }
    });
  },
);
