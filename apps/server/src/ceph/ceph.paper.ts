import type { CephContent } from "@arcada/contract/ceph/ceph.shape";
import { offeredLanguages, type Language } from "@arcada/contract/kernel/languages";
import { cephAnalysisNames, type CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { cephDrawing } from "@arcada/analysis/ceph/drawing";
import { mmOfPixel, uprightTurns } from "@arcada/analysis/ceph/frame";
import { cephSources } from "@arcada/analysis/ceph/norms";
import { cephReport, type CephRow, type CephSubject } from "@arcada/analysis/ceph/report";
import { landmarkSign } from "@arcada/analysis/ceph/signs";
import { zonedTime } from "@arcada/contract/kernel/time-zone";
import { formatNumber } from "../platform/text/number-format.ts";
import type { Database } from "../platform/database/database.ts";
import type { OpenDocument } from "../platform/http/document-routes.ts";
import { tracingBlock } from "../platform/pdf/tracing.ts";
import type { PdfBlock, PdfDocument, PdfPicture } from "../platform/pdf/pdf.ts";
import { refuse } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import { textOf } from "../platform/text/texts.ts";
import * as store from "./ceph.store.ts";
import { dayOf, nameOf, subjectOf, type Say } from "./ceph.ts";
import { filmPicture } from "./film-picture.ts";

// Twice the pixels that 400 points take on a screen, at 96 pixels for 72 points.
const filmSide = 1067;

/** Opens a tracing as it is saved at this moment, for its own institution. */
export const openCephPaper =
  (database: Database): OpenDocument =>
  async ({ iid, uid, id, language, scheme }) => {
    const spoken = offeredLanguages.find((one) => one === language) ?? "en";
    const analysis = cephAnalysisNames.find((one) => one === scheme) ?? refuse("notFound");
    const found = await database.as({ system: false, iid, uid }, async (db) => {
      const film = (await store.filmOf(db, id)) ?? refuse("notFound");
      if (film.iid !== iid || film.patientId === null) return refuse("notFound");
      const tracing = (await store.tracingOf(db, film)) ?? refuse("notFound");
      const person = (await store.personOf(db, iid, film.patientId)) ?? refuse("notFound");
      return {
        film,
        tracing,
        person,
        house: await store.houseOf(db, iid),
        sha256: await store.filmFile(db, film),
      };
    });
    const paper = cephPaper({ ...found, picture: await pictureOf(iid, found) }, analysis, spoken);
    return { name: `ceph-${found.person.number}.pdf`, paper };
  };

type Source = Pick<Found, "film" | "tracing"> & { sha256: string | null };

async function pictureOf(iid: string, { film, tracing, sha256 }: Source): Promise<PdfPicture | null> {
  if (sha256 === null || (await files().bytes("converted", iid, sha256)) === null) return null;
  const { picture } = film;
  const turns = uprightTurns(tracing.content);
  return files().local("converted", iid, sha256, (path) => filmPicture({ path, picture, side: filmSide, turns }));
}

interface Found {
  film: store.FilmRow;
  tracing: store.TracingRow;
  person: store.PersonRow;
  house: store.House;
  picture: PdfPicture | null;
}
function cephPaper(found: Found, analysis: CephAnalysis, language: Language): PdfDocument {
  const say: Say = (key, values) => textOf(language, "ceph", key, values);
  const { film, tracing, person, house, picture } = found;
  const { content } = tracing;
  const subject = subjectOf(person, dayOf(film, house.zone));
  const taken = film.takenAt?.slice(0, 10) ?? say("print.received", { day: dayOf(film, house.zone) });
  const norms = say("print.norms", { population: say(`population.${content.population}`) });
  return {
    language: language === "zh" ? "zh-CN" : "en",
    title: `${say("print.title")} ${person.number}`,
    author: house.name,
    // On every page: a value means nothing without the norm that it is compared with, and the length of a mm.
    foot: `${person.number} · ${norms} · ${calibrationText(content, say, "brief")}`,
    pageOf: say("print.page"),
    blocks: [
      { kind: "title", text: say("print.title"), aside: nameOf.analysis(analysis, say) },
      { kind: "facts", rows: factsOf(found, subject, taken, say) },
      tracingBlock(cephDrawing(content, film.picture), most, picture),
      { kind: "heading", text: nameOf.analysis(analysis, say) },
      tableOf(cephReport(content, subject, analysis).rows, say),
      { kind: "text", text: `${norms}. ${calibrationText(content, say)}. ${say("print.errors")}`, muted: true },
      ...(film.isLossy ? [{ kind: "text", text: textOf(language, "viewer", "lossy.measured") } as const] : []),
      { kind: "text", text: say("print.reference"), muted: true },
      ...(content.remark ? [{ kind: "text", text: content.remark } as const] : []),
      { kind: "signature", names: [say("print.signature"), say("print.date")] },
    ],
  };
}

function factsOf({ person, tracing, house }: Found, { sex, age }: CephSubject, taken: string, say: Say) {
  const rows: (readonly [string, string])[] = [
    [say("print.patient"), person.name],
    [say("print.number"), person.number],
    [say("print.sex"), say(`sex.${sex ?? "other"}`)],
    [say("print.age"), age === null ? say("print.unknown") : say("print.years", { years: Math.floor(age) })],
    [say("print.taken"), taken],
    [say("print.tracedBy"), `${tracing.savedBy}, ${zonedTime(house.zone, tracing.savedAt)}`],
    [say("print.version"), String(tracing.version)],
    [say("print.house"), house.name],
  ];
  return rows;
}

function calibrationText({ calibration }: CephContent, say: Say, how: "told" | "brief" = "told"): string {
  if (!calibration) return say("calibration.noMm");
  return say(`calibration.${how}`, {
    source: say(`calibration.${calibration.source}`),
    mm: formatNumber(mmOfPixel(calibration), 4),
    magnification: formatNumber(calibration.magnification, 3),
  });
}

const most = { width: 499, height: 236 };

function tableOf(rows: readonly CephRow[], say: Say): PdfBlock {
  const figure = (value: number) => formatNumber(value, 1);
  const unit = { degrees: "°", mm: " mm", percent: " %" } as const;
  return {
    kind: "table",
    small: true,
    head: ["measure", "value", "norm", "difference", "place", "deviations", "source"].map((name) =>
      say(`column.${name}`),
    ),
    widths: [3.4, 2, 2, 1.3, 2, 2, 2.4],
    rows: rows.map(({ measure, value, error, norm, difference, place, isBorderline, deviations, ...row }) => ({
      cells: [
        nameOf.measure(measure, say),
        value === null
          ? say("notMeasured")
          : `${figure(value)}${error === null ? "" : ` ± ${figure(error)}`}${unit[row.unit]}`,
        norm
          ? (norm.range?.map(figure).join("–") ?? `${figure(norm.mean)}${norm.sd ? ` (${figure(norm.sd)})` : ""}`)
          : "–",
        difference === null ? "–" : `${difference > 0 ? "+" : ""}${figure(difference)}`,
        row.implausible.length > 0
          ? say("place.implausible", { signs: row.implausible.map(landmarkSign).join(", ") })
          : place === null
            ? norm?.isOtherAge && value !== null
              ? say("place.otherAge")
              : "–"
            : say(`place.${place}`) + (isBorderline ? ` (${say("borderline")})` : ""),
        { deviation: deviations === null || difference === null || !norm?.sd ? null : difference / norm.sd },
        norm ? cephSources[norm.source] : "–",
      ],
    })),
  };
}
