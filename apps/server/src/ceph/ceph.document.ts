import type { CephContent } from "@arcada/contract/ceph/ceph.schema";
import { offeredLanguages, type Language } from "@arcada/contract/kernel/languages";
import { cephAnalysisNames, type CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { createCephDrawing } from "@arcada/analysis/ceph/print-drawing";
import { patientMmPerPixel, quarterTurnsToUpright } from "@arcada/analysis/ceph/normalised-tracing";
import { cephSources } from "@arcada/analysis/ceph/norms";
import { createCephReport, type CephRow, type CephSubject } from "@arcada/analysis/ceph/ceph-report";
import { landmarkLabel } from "@arcada/analysis/ceph/literature-labels";
import { formatWithZone } from "@arcada/contract/kernel/time-zone";
import { formatNumber } from "../platform/text/number-format.ts";
import type { Database } from "../platform/database/database.ts";
import type { OpenDocument } from "../platform/http/pdf-routes.ts";
import { drawTracing } from "../domain/draw-ceph-tracing.ts";
import type { PdfBlock, PdfDocument, PdfBitmap } from "../platform/pdf/pdf-blocks.ts";
import { refuse } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import { translate, translatorOf } from "../platform/text/texts.ts";
import * as store from "./ceph.store.ts";
import { acquisitionDay, toSubject } from "./patient-age-at-radiograph.ts";
import { cephNames, type Translate } from "./ceph-names.ts";
import { renderRadiographImage } from "./render-radiograph-image.ts";

// Twice the pixels that 400 points take on a screen, at 96 pixels for 72 points.
const imageSide = 1067;

/** Opens a tracing as it is saved at this moment, for its own institution. */
export const openCephDocument =
  (database: Database): OpenDocument =>
  async ({ iid, uid, id, language, scheme }) => {
    const documentLanguage = offeredLanguages.find((one) => one === language) ?? "en";
    const analysis = cephAnalysisNames.find((one) => one === scheme) ?? refuse("notFound");
    const found = await database.as({ system: false, iid, uid }, async (db) => {
      const radiograph = (await store.findRadiograph(db, id)) ?? refuse("notFound");
      if (radiograph.iid !== iid || radiograph.patientId === null) return refuse("notFound");
      const tracing = (await store.findTracing(db, radiograph)) ?? refuse("notFound");
      const person = (await store.findPatient(db, iid, radiograph.patientId)) ?? refuse("notFound");
      return {
        radiograph,
        tracing,
        person,
        institution: await store.loadInstitution(db, iid),
        sha256: await store.findImageHash(db, radiograph),
      };
    });
    const paper = buildCephDocument(
      { ...found, picture: await renderRadiograph(iid, found) },
      analysis,
      documentLanguage,
    );
    return { name: `ceph-${found.person.number}.pdf`, document: paper };
  };

type ImageSource = Pick<CephDocumentData, "radiograph" | "tracing"> & { sha256: string | null };

async function renderRadiograph(iid: string, { radiograph, tracing, sha256 }: ImageSource): Promise<PdfBitmap | null> {
  if (sha256 === null || (await files().bytes("converted", iid, sha256)) === null) return null;
  const { picture: image } = radiograph;
  const turns = quarterTurnsToUpright(tracing.content);
  return files().local("converted", iid, sha256, (path) =>
    renderRadiographImage({ path, picture: image, side: imageSide, turns }),
  );
}

interface CephDocumentData {
  radiograph: store.RadiographRow;
  tracing: store.TracingRow;
  person: store.CephPatientRow;
  institution: store.CephInstitution;
  picture: PdfBitmap | null;
}
function buildCephDocument(found: CephDocumentData, analysis: CephAnalysis, language: Language): PdfDocument {
  const t = translatorOf(language, "ceph");
  const { radiograph, tracing, person, institution, picture: image } = found;
  const { content } = tracing;
  const subject = toSubject(person, acquisitionDay(radiograph, institution.zone));
  const taken =
    radiograph.takenAt?.slice(0, 10) ?? t("print.received", { day: acquisitionDay(radiograph, institution.zone) });
  const norms = t("print.norms", { population: t(`population.${content.population}`) });
  return {
    language: language === "zh" ? "zh-CN" : "en",
    title: `${t("print.title")} ${person.number}`,
    author: institution.name,
    // On every page: a value means nothing without the norm that it is compared with, and the length of a mm.
    footer: `${person.number} · ${norms} · ${describeCalibration(content, t, "brief")}`,
    pageOf: t("print.page"),
    blocks: [
      { kind: "title", text: t("print.title"), aside: cephNames.analysis(analysis, t) },
      { kind: "facts", rows: buildFacts(found, subject, taken, t) },
      drawTracing(createCephDrawing(content, radiograph.picture), maxImageSize, image),
      { kind: "heading", text: cephNames.analysis(analysis, t) },
      buildTable(createCephReport(content, subject, analysis).rows, t),
      { kind: "text", text: `${norms}. ${describeCalibration(content, t)}. ${t("print.errors")}`, muted: true },
      ...(radiograph.isLossy ? [{ kind: "text", text: translate(language, "viewer", "lossy.measured") } as const] : []),
      { kind: "text", text: t("print.reference"), muted: true },
      ...(content.remark ? [{ kind: "text", text: content.remark } as const] : []),
      { kind: "signature", names: [t("print.signature"), t("print.date")] },
    ],
  };
}

function buildFacts(
  { person, tracing, institution }: CephDocumentData,
  { sex, age }: CephSubject,
  taken: string,
  t: Translate,
) {
  const rows: (readonly [string, string])[] = [
    [t("print.patient"), person.name],
    [t("print.number"), person.number],
    [t("print.sex"), t(`sex.${sex ?? "other"}`)],
    [t("print.age"), age === null ? t("print.unknown") : t("print.years", { years: Math.floor(age) })],
    [t("print.taken"), taken],
    [t("print.tracedBy"), `${tracing.savedBy}, ${formatWithZone(institution.zone, tracing.savedAt)}`],
    [t("print.version"), String(tracing.version)],
    [t("print.house"), institution.name],
  ];
  return rows;
}

function describeCalibration({ calibration }: CephContent, t: Translate, how: "told" | "brief" = "told"): string {
  if (!calibration) return t("calibration.noMm");
  return t(`calibration.${how}`, {
    source: t(`calibration.${calibration.source}`),
    mm: formatNumber(patientMmPerPixel(calibration), 4),
    magnification: formatNumber(calibration.magnification, 3),
  });
}

const maxImageSize = { width: 499, height: 236 };

function buildTable(rows: readonly CephRow[], t: Translate): PdfBlock {
  const figure = (value: number) => formatNumber(value, 1);
  const unit = { degrees: "°", mm: " mm", percent: " %" } as const;
  return {
    kind: "table",
    small: true,
    head: (["measure", "value", "norm", "difference", "place", "deviations", "source"] as const).map((name) =>
      t(`column.${name}`),
    ),
    widths: [3.4, 2, 2, 1.3, 2, 2, 2.4],
    rows: rows.map(({ measure, value, error, norm, difference, place, isBorderline, deviations, ...row }) => ({
      cells: [
        cephNames.measure(measure, t),
        value === null
          ? t("notMeasured")
          : `${figure(value)}${error === null ? "" : ` ± ${figure(error)}`}${unit[row.unit]}`,
        norm
          ? (norm.range?.map(figure).join("–") ?? `${figure(norm.mean)}${norm.sd ? ` (${figure(norm.sd)})` : ""}`)
          : "–",
        difference === null ? "–" : `${difference > 0 ? "+" : ""}${figure(difference)}`,
        row.implausible.length > 0
          ? t("place.implausible", { signs: row.implausible.map(landmarkLabel).join(", ") })
          : place === null
            ? norm?.isOtherAge && value !== null
              ? t("place.otherAge")
              : "–"
            : t(`place.${place}`) + (isBorderline ? ` (${t("borderline")})` : ""),
        { deviation: deviations === null || difference === null || !norm?.sd ? null : difference / norm.sd },
        norm ? cephSources[norm.source] : "–",
      ],
    })),
  };
}
