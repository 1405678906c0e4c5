import fc from "fast-check";
import { expect, it } from "vitest";
import { archTarget } from "@arcada/contract/analysis/arch-target";
import { codeOfFinding, engineKinds, measurementCodes, type EngineInfo } from "@arcada/contract/analysis/observation";
import type { ChartTooth } from "@arcada/contract/chart/chart.shape";
import { chartTooth, findingNames } from "@arcada/contract/chart/chart.shape";
import { permanentTeeth } from "@arcada/contract/kernel/tooth";
import { reportForm, toothListNames } from "@arcada/contract/report/report.shape";
import type { PdfBlock, PdfCell, PdfRow } from "../platform/pdf/pdf.ts";
import { contentOf } from "./report.content.ts";
import { reportPaper } from "./report.paper.ts";
import { sayIn } from "./report.say.ts";
import type { SourceAnalysis, Sources } from "./report.sources.ts";

const isFull = process.env["ARCADA_PROOF"] === "full";
const someone = "01a2056f-2b0d-7ec5-83f9-843052a5e874";
const at = "2026-03-01T08:00:00.000Z";
const codes = [...findingNames.map(codeOfFinding), ...measurementCodes, "TOOTH_BOX"];

const card = { intendedUse: "", limits: "", licence: "", trainedOn: null, clearance: null, metrics: [], sha256: null };
/** An engine, and what it answered of what it declares: the gate lets nothing else through. */
const analysis: fc.Arbitrary<SourceAnalysis> = fc
  .record({
    id: fc.uuid(),
    kind: fc.constantFrom(...engineKinds),
    produces: fc.uniqueArray(fc.constantFrom(...codes), { maxLength: 10 }),
    picks: fc.array(fc.tuple(fc.nat(), fc.constantFrom(true, false, 3.5, null), fc.constantFrom(...permanentTeeth)), {
      maxLength: 8,
    }),
    silent: fc.array(fc.nat(), { maxLength: 4 }),
  })
  .map(({ id, kind, produces, picks, silent }) => {
    const declared = (place: number) => produces[place % produces.length]!;
    const some = <T>(list: T[]) => (produces.length > 0 ? list : []);
    const engine: EngineInfo = { id, version: "1", kind, tasks: [], modalities: ["PX"], produces, card, quotaCost: 0 };
    const observations = some(picks).map(([place, value, fdi]) => ({
      id: someone,
      code: declared(place),
      target: { kind: "tooth" as const, fdi },
      value,
      unit: null,
      geometry: null,
      confidence: { basis: "none" as const },
      method: "drawn",
    }));
    const abstentions = some(silent).map((place) => ({
      code: declared(place),
      target: { kind: "image" as const },
      reason: "quality" as const,
      detail: null,
    }));
    const study = { study_id: id, instance_id: id, kind: "panorama" as const, taken: "2026-03-01", lossy: false };
    return { id, ...study, engine, observations, abstentions };
  });

/** Teeth with suggestions of an engine, and some that a dentist confirmed. */
const tooth: fc.Arbitrary<ChartTooth> = fc
  .record({
    fdi: fc.constantFrom(...permanentTeeth),
    crown: fc.constantFrom(0, 1, 3),
    isConfirmed: fc.boolean(),
    proposed: fc.uniqueArray(fc.constantFrom(...findingNames), { maxLength: 2 }),
  })
  .map(({ fdi, crown, isConfirmed, proposed }) =>
    chartTooth.parse({
      fdi,
      presence: "present",
      crown,
      ...(isConfirmed && { confirmedBy: someone, confirmedAt: at }),
      findings: proposed.map((code) => ({ id: someone, code, status: "proposed", by: someone, at })),
    }),
  );
const mouth = fc.uniqueArray(tooth, { maxLength: 12, selector: ({ fdi }) => fdi });

const sourcesOf = (analyses: SourceAnalysis[], teeth: ChartTooth[]): Sources => ({
  patient: { name: "A", number: "1", sex: "female", birthDate: null, entryNumber: null, age: null },
  institution: { name: "C", number: "10000001", address: null, contact: null },
  chart: { version: teeth.length === 0 ? 0 : 1, content: { teeth } },
  images: [],
  analyses,
  suggestions: new Map(),
  tracing: null,
});
const frame = {
  number: "R1",
  source: "ai",
  previous: null,
  writer: "W",
  writtenAt: at,
  form: reportForm.parse({}),
  signature: null,
} as const;
const around = {
  state: "draft",
  sha256: null,
  ended: null,
  nextNumber: null,
  logos: { cover: null, inside: null },
  pictures: new Map(),
} as const;

/** The rows of the table under a heading; none where there is no such table. */
function rowsUnder(blocks: readonly PdfBlock[], heading: string): readonly PdfRow[] {
  const from = blocks.findIndex((one) => one.kind === "heading" && one.text === heading);
  const after = from === -1 ? [] : blocks.slice(from + 1);
  const end = after.findIndex(({ kind }) => kind === "heading");
  return after.slice(0, end === -1 ? undefined : end).flatMap((one) => (one.kind === "table" ? one.rows : []));
}

const wordsOf = (cell: PdfCell | undefined): string => (typeof cell === "string" ? cell : "");

it("a paper says no of nothing that no engine declares, and nothing of a tooth for which no dentist stands", () => {
  fc.assert(
    fc.property(
      fc.array(analysis, { maxLength: 4 }),
      mouth,
      fc.constantFrom("en" as const, "zh" as const),
      (analyses, teeth, language) => {
        const say = sayIn(language, "fdi", "UTC");
        const content = contentOf(frame, sourcesOf(analyses, teeth));
        const { blocks } = reportPaper(content, around, language);
        const count = new Set(analyses.map(({ id }) => id)).size;
        expect(content.analysisCount).toBe(count);
        const counted = blocks.filter(
          (one) => one.kind === "text" && one.text === say("paper.analysisCount", { count }),
        );
        expect(counted).toHaveLength(count > 0 ? 1 : 0);
        const named = (code: string): string =>
          code.startsWith("FINDING_") ? say.of("chart", `finding.${code.slice(8)}`) : say(`code.${code}`);

        const denied = rowsUnder(blocks, say("paper.measurements")).filter(({ cells }) => cells[1] === say("no"));
        const mayDeny = analyses
          .filter(({ engine }) => engine.kind === "measurement")
          .flatMap(({ engine, observations }) =>
            observations.filter(({ value }) => value === false).map(({ code }) => `${named(code)} ${engine.id}`),
          );
        for (const { cells } of denied)
          expect(mayDeny).toContain(`${wordsOf(cells[0]).split(",")[0]} ${wordsOf(cells[3]).split(" ")[0]}`);

        const looked = rowsUnder(blocks, say("paper.engines"));
        expect(looked).toHaveLength(new Set(analyses.map(({ id }) => id)).size);
        for (const { cells } of looked) {
          const { engine } = analyses.find(({ id }) => wordsOf(cells[0]).startsWith(id))!;
          // The image is a panorama, so the engine did not look for findings of other images.
          const here = engine.produces.filter((code) => !/^(?:CEPH|CBCT)_/.test(code));
          expect(cells[2]).toBe([...new Set(here.map(named))].join(", "));
        }

        const sure = teeth.filter(({ confirmedBy }) => confirmedBy !== null).map(({ fdi }) => fdi);
        const perTooth = rowsUnder(blocks, say("paper.perTooth"));
        expect(perTooth).toHaveLength(32);
        for (const { cells } of perTooth) {
          const isSure = sure.includes(Number(cells[0]));
          expect(cells[1] === say("tooth.notAssessed")).toBe(!isSure);
          // A finding that is only proposed is printed nowhere.
          expect(cells[2]).toBe("");
        }
        for (const [row, name] of toothListNames.entries()) {
          const said = rowsUnder(blocks, say("paper.lists"))[row]!.cells[1];
          if (name === "notAssessed") expect(said).toContain(`(${32 - sure.length})`);
          else if (sure.length === 0) expect(said).toBe(say("tooth.notAssessed"));
          else expect(said).not.toBe(say("list.none"));
        }
        // At most 12 of 28 positions are ever assessed here.
        const [score] = blocks.slice(1 + blocks.findIndex((one) => "text" in one && one.text === say("score.title")));
        expect(score).toMatchObject({ kind: "text" });
      },
    ),
    { numRuns: isFull ? 5000 : 100 },
  );
}, 300_000);

it("a paper names the curve of an arch by its jaw, and says which part the field cut and that it was not assessed", () => {
  const lost = { code: "CBCT_ARCH", target: archTarget({ jaw: "lower", cut: "height" }), detail: null } as const;
  const cutAside = { ...lost, target: archTarget({ jaw: "lower", cut: "right" }) };
  const seen = { id: someone, code: "CBCT_ARCH", unit: "mm", geometry: null, method: "ridge@1" } as const;
  const engine: EngineInfo = {
    id: "e",
    version: "1",
    kind: "measurement",
    tasks: [],
    modalities: ["CT"],
    card,
    quotaCost: 0,
    produces: ["CBCT_ARCH"],
  };
  const sources = sourcesOf(
    [
      {
        id: someone,
        study_id: someone,
        instance_id: null,
        kind: "ct",
        taken: "2026-03-01",
        lossy: false,
        engine,
        observations: [
          // Engines up to 1.1.1 named teeth that had not been found.
          {
            ...seen,
            value: 107,
            confidence: { basis: "none" },
            target: { kind: "region", from: 18, to: 28, name: null },
          },
        ],
        abstentions: [lost, cutAside].map((one) => ({ ...one, reason: "outsideField" as const })),
      },
    ],
    [],
  );
  const say = sayIn("en", "fdi", "UTC");
  const { blocks } = reportPaper(contentOf(frame, sources), around, "en");
  expect(rowsUnder(blocks, say("paper.measurements"))[0]?.cells[0]).toBe("Length of the drawn arch curve, upper arch");
  const noAnswer = wordsOf(rowsUnder(blocks, say("paper.engines"))[0]?.cells[3]);
  expect(noAnswer).toContain(
    "lower arch, teeth cut off at the top or bottom of the field of view (outside the field of view",
  );
  expect(noAnswer).toContain("lower arch, cut off by the field of view on the patient's right");
});

it("a paper says beside its measurements that an image was stored with loss, and prints no reading of a ruler that nobody took", () => {
  const engine: EngineInfo = {
    id: "e",
    version: "1",
    kind: "measurement",
    tasks: [],
    modalities: ["PX"],
    card,
    quotaCost: 0,
    produces: ["CEPH_SCALE", "PAN_TILT"],
  };
  const seen = { id: someone, unit: null, geometry: null, method: "m", target: { kind: "image" } } as const;
  const none = { basis: "none" } as const;
  const observations = [
    { ...seen, code: "PAN_TILT", value: 1.5, confidence: none },
    ...[0.05, 0.1].map((value) => ({ ...seen, code: "CEPH_SCALE", value, confidence: none })),
  ];
  const study = {
    id: someone,
    study_id: someone,
    instance_id: someone,
    kind: "panorama",
    taken: "2026-03-01",
  } as const;
  const say = sayIn("en", "fdi", "UTC");
  for (const lossy of [true, false]) {
    const sources = sourcesOf([{ ...study, lossy, engine, observations, abstentions: [] }], []);
    const { blocks } = reportPaper(contentOf(frame, sources), around, "en");
    const texts = blocks.flatMap((one) => (one.kind === "text" ? one.text : []));
    expect(texts.includes(say.of("viewer", "lossy.measured"))).toBe(lossy);
    expect(rowsUnder(blocks, say("paper.measurements"))).toHaveLength(1);
  }
});

it("says of a mouth that nobody assessed that it was not assessed, and not that no problem was listed", () => {
  const problemWords = (teeth: ChartTooth[]) => {
    const { blocks } = reportPaper(contentOf(frame, sourcesOf([], teeth)), around, "en");
    const from = blocks.findIndex(
      (one) => one.kind === "heading" && one.text === sayIn("en", "fdi", "UTC")("paper.problems"),
    );
    return blocks[from + 1];
  };
  const sound = chartTooth.parse({ fdi: 36, presence: "present", crown: 0, confirmedBy: someone, confirmedAt: at });
  expect(problemWords([])).toEqual({ kind: "text", text: "The teeth have not been assessed in the tooth chart." });
  expect(problemWords([sound])).toEqual({ kind: "text", text: "The dentist has not listed any problems." });
});

it("draws an implant as a screw and a pontic as a crown alone, and a tooth that nobody confirmed with its root", () => {
  const lower = (presence: "present" | "implant" | "pontic", isConfirmed = true) => {
    const one = chartTooth.parse({
      fdi: 36,
      presence,
      ...(isConfirmed && { confirmedBy: someone, confirmedAt: at }),
    });
    const { blocks } = reportPaper(contentOf(frame, sourcesOf([], [one])), around, "en");
    const drawing = blocks.find((block) => block.kind === "drawing");
    return (drawing?.kind === "drawing" ? drawing.shapes : []).flatMap((shape) =>
      "path" in shape ? [`${shape.x} ${shape.path}`] : [],
    );
  };
  const [present, implant, pontic] = [lower("present"), lower("implant"), lower("pontic")];
  const root = present.filter((path) => !implant.includes(path));
  expect(root).toHaveLength(1);
  expect(implant.filter((path) => !present.includes(path))).toHaveLength(3);
  expect(pontic.filter((path) => !present.includes(path))).toHaveLength(1);
  expect(lower("implant", false)).toEqual(present);
});
