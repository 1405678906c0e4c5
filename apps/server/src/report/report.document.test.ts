import fc from "fast-check";
import { expect, it } from "vitest";
import { createArchTarget } from "@arcada/contract/analysis/arch-target";
import { findingToCode, engineKinds, measurementCodes, type EngineInfo } from "@arcada/contract/analysis/observation";
import type { ChartTooth } from "@arcada/contract/chart/chart.schema";
import { chartTooth, findingNames } from "@arcada/contract/chart/chart.schema";
import { permanentTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { reportForm, toothListNames } from "@arcada/contract/report/report.schema";
import type { PdfBlock, PdfCell, PdfRow } from "../platform/pdf/pdf-blocks.ts";
import { buildContent } from "./report.content.ts";
import { buildReportAnnex } from "./report.annex.ts";
import { buildReportDocument } from "./report.document.ts";
import { loadDocumentTexts } from "./report.texts.ts";
import type { SourceAnalysis, ReportSources } from "./report.sources.ts";
import { present } from "@arcada/testing/require-present";

const isFull = process.env["ARCADA_PROOF"] === "full";
const personFixture = "01a2056f-2b0d-7ec5-83f9-843052a5e874";
const signedAt = "2026-03-01T08:00:00.000Z";
const codes = [...findingNames.map(findingToCode), ...measurementCodes, "TOOTH_BOX"];

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
    const declared = (place: number) => produces[place % produces.length];
    const some = <T>(list: T[]) => (produces.length > 0 ? list : []);
    const engine: EngineInfo = { id, version: "1", kind, tasks: [], modalities: ["PX"], produces, card, quotaCost: 0 };
    const observations = some(picks).map(([place, value, fdi]) => ({
      id: personFixture,
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
const toothFixture: fc.Arbitrary<ChartTooth> = fc
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
      ...(isConfirmed && { confirmedBy: personFixture, confirmedAt: signedAt }),
      findings: proposed.map((code) => ({
        id: personFixture,
        code,
        status: "proposed",
        by: personFixture,
        at: signedAt,
      })),
    }),
  );
const chartFixture = fc.uniqueArray(toothFixture, { maxLength: 12, selector: ({ fdi }) => fdi });

const sourcesFixture = (analyses: SourceAnalysis[], teeth: ChartTooth[]): ReportSources => ({
  patient: { name: "A", number: "1", sex: "female", birthDate: null, entryNumber: null, age: null },
  institution: { name: "C", number: "10000001", address: null, contact: null },
  chart: { version: teeth.length === 0 ? 0 : 1, content: { teeth } },
  images: [],
  analyses,
  suggestions: new Map(),
  tracing: null,
});
const frameFixture = {
  number: "R1",
  source: "ai",
  previous: null,
  writer: "W",
  writtenAt: signedAt,
  form: reportForm.parse({}),
  signature: null,
} as const;
const assetsFixture = {
  state: "draft",
  sha256: null,
  ended: null,
  nextNumber: null,
  logos: { cover: null, inside: null },
  pictures: new Map(),
} as const;

/** The rows of the table under a heading; none where there is no such table. */
function rowsUnderHeading(blocks: readonly PdfBlock[], heading: string): readonly PdfRow[] {
  const from = blocks.findIndex((one) => one.kind === "heading" && one.text === heading);
  const after = from === -1 ? [] : blocks.slice(from + 1);
  const end = after.findIndex(({ kind }) => kind === "heading");
  return after.slice(0, end === -1 ? undefined : end).flatMap((one) => (one.kind === "table" ? one.rows : []));
}

const documentText = (cell: PdfCell | undefined): string => (typeof cell === "string" ? cell : "");

it("the document denies no finding that no engine declares, and states nothing of a tooth that no dentist has confirmed", () => {
  fc.assert(
    fc.property(
      fc.array(analysis, { maxLength: 4 }),
      chartFixture,
      fc.constantFrom("en" as const, "zh" as const),
      (analyses, teeth, language) => {
        const translate = loadDocumentTexts(language, "fdi", "UTC");
        const content = buildContent(frameFixture, sourcesFixture(analyses, teeth));
        const { blocks } = buildReportAnnex(content, assetsFixture, language);
        const count = new Set(analyses.map(({ id }) => id)).size;
        expect(content.analysisCount).toBe(count);
        const counted = blocks.filter(
          (one) => one.kind === "text" && one.text === translate("paper.analysisCount", { count }),
        );
        expect(counted).toHaveLength(count > 0 ? 1 : 0);
        const named = (code: string): string =>
          code.startsWith("FINDING_")
            ? translate.ofName("chart", "finding", code.slice(8))
            : translate.ofName("report", "code", code);

        const denied = rowsUnderHeading(blocks, translate("paper.measurements")).filter(
          ({ cells }) => cells[1] === translate("no"),
        );
        const mayDeny = analyses
          .filter(({ engine }) => engine.kind === "measurement")
          .flatMap(({ engine, observations }) =>
            observations.filter(({ value }) => value === false).map(({ code }) => `${named(code)} ${engine.id}`),
          );
        for (const { cells } of denied)
          expect(mayDeny).toContain(`${documentText(cells[0]).split(",")[0]} ${documentText(cells[3]).split(" ")[0]}`);

        const looked = rowsUnderHeading(blocks, translate("paper.engines"));
        expect(looked).toHaveLength(new Set(analyses.map(({ id }) => id)).size);
        for (const { cells } of looked) {
          const { engine } = present(analyses.find(({ id }) => documentText(cells[0]).startsWith(id)));
          // The image is a panorama, so the engine did not look for findings of other images.
          const env = engine.produces.filter((code) => !/^(?:CEPH|CBCT)_/.test(code));
          expect(cells[2]).toBe([...new Set(env.map(named))].join(", "));
        }

        const sure = teeth.filter(({ confirmedBy }) => confirmedBy !== null).map(({ fdi }) => fdi);
        const perTooth = rowsUnderHeading(blocks, translate("paper.perTooth"));
        expect(perTooth).toHaveLength(32);
        for (const { cells } of perTooth) {
          const isSure = sure.includes(Number(cells[0]));
          expect(cells[1] === translate("tooth.notAssessed")).toBe(!isSure);
          // A finding that is only proposed is printed nowhere.
          expect(cells[2]).toBe("");
        }
        for (const [row, name] of toothListNames.entries()) {
          const said = rowsUnderHeading(blocks, translate("paper.lists"))[row].cells[1];
          if (name === "notAssessed") expect(said).toContain(`(${32 - sure.length})`);
          else if (sure.length === 0) expect(said).toBe(translate("tooth.notAssessed"));
          else expect(said).not.toBe(translate("list.none"));
        }
        // At most 12 of 28 positions are ever assessed here.
        const [score] = blocks.slice(
          1 + blocks.findIndex((one) => "text" in one && one.text === translate("score.title")),
        );
        expect(score).toMatchObject({ kind: "text" });
      },
    ),
    { numRuns: isFull ? 5000 : 100 },
  );
}, 300_000);

it("the document names the curve of an arch by its jaw, and states which part the field of view cut off and that it was not assessed", () => {
  const lost = { code: "CBCT_ARCH", target: createArchTarget({ jaw: "lower", cut: "height" }), detail: null } as const;
  const cutAside = { ...lost, target: createArchTarget({ jaw: "lower", cut: "right" }) };
  const seen = { id: personFixture, code: "CBCT_ARCH", unit: "mm", geometry: null, method: "ridge@1" } as const;
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
  const sources = sourcesFixture(
    [
      {
        id: personFixture,
        study_id: personFixture,
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
  const translate = loadDocumentTexts("en", "fdi", "UTC");
  const { blocks } = buildReportAnnex(buildContent(frameFixture, sources), assetsFixture, "en");
  expect(rowsUnderHeading(blocks, translate("paper.measurements"))[0]?.cells[0]).toBe(
    "Length of the drawn arch curve, upper arch",
  );
  const noAnswer = documentText(rowsUnderHeading(blocks, translate("paper.engines"))[0]?.cells[3]);
  expect(noAnswer).toContain(
    "lower arch, teeth cut off at the top or bottom of the field of view (outside the field of view",
  );
  expect(noAnswer).toContain("lower arch, cut off by the field of view on the patient's right");
});

it("the document states beside its measurements that an image was compressed with loss, and prints no unconfirmed reading of a ruler", () => {
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
  const seen = { id: personFixture, unit: null, geometry: null, method: "m", target: { kind: "image" } } as const;
  const none = { basis: "none" } as const;
  const observations = [
    { ...seen, code: "PAN_TILT", value: 1.5, confidence: none },
    ...[0.05, 0.1].map((value) => ({ ...seen, code: "CEPH_SCALE", value, confidence: none })),
  ];
  const study = {
    id: personFixture,
    study_id: personFixture,
    instance_id: personFixture,
    kind: "panorama",
    taken: "2026-03-01",
  } as const;
  const translate = loadDocumentTexts("en", "fdi", "UTC");
  for (const lossy of [true, false]) {
    const sources = sourcesFixture([{ ...study, lossy, engine, observations, abstentions: [] }], []);
    const { blocks } = buildReportAnnex(buildContent(frameFixture, sources), assetsFixture, "en");
    const texts = blocks.flatMap((one) => (one.kind === "text" ? one.text : []));
    expect(texts.includes(translate.of("viewer", "lossy.measured"))).toBe(lossy);
    expect(rowsUnderHeading(blocks, translate("paper.measurements"))).toHaveLength(1);
  }
});

it("the document states that an unassessed mouth was not assessed, and not that no problem was listed", () => {
  const problemWords = (teeth: ChartTooth[]) => {
    const { blocks } = buildReportDocument(buildContent(frameFixture, sourcesFixture([], teeth)), assetsFixture, "en");
    const from = blocks.findIndex(
      (one) => one.kind === "heading" && one.text === loadDocumentTexts("en", "fdi", "UTC")("paper.problems"),
    );
    return blocks[from + 1];
  };
  const sound = chartTooth.parse({
    fdi: 36,
    presence: "present",
    crown: 0,
    confirmedBy: personFixture,
    confirmedAt: signedAt,
  });
  expect(problemWords([])).toEqual({ kind: "text", text: "The teeth have not been assessed in the tooth chart." });
  expect(problemWords([sound])).toEqual({ kind: "text", text: "The dentist has not listed any problems." });
});

it("the document draws an implant as a screw, a pontic as a crown alone, and an unconfirmed tooth with its root", () => {
  const lower = (presence: "present" | "implant" | "pontic", isConfirmed = true) => {
    const one = chartTooth.parse({
      fdi: 36,
      presence,
      ...(isConfirmed && { confirmedBy: personFixture, confirmedAt: signedAt }),
    });
    const { blocks } = buildReportDocument(buildContent(frameFixture, sourcesFixture([], [one])), assetsFixture, "en");
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
