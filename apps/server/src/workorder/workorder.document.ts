import { buffer } from "node:stream/consumers";
import { offeredLanguages } from "@arcada/contract/kernel/languages";
import type { Language } from "@arcada/contract/kernel/languages";
import { formatWithZone } from "@arcada/contract/kernel/time-zone";
import type { Workorder } from "@arcada/contract/workorder/workorder.schema";
import type { Database } from "../platform/database/database.ts";
import type { OpenDocument } from "../platform/http/pdf-routes.ts";
import type { PdfBlock, PdfDocument, PdfImage } from "../platform/pdf/pdf-blocks.ts";
import { refuse } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import { translate, translatorOf } from "../platform/text/texts.ts";
import type { TranslateIn } from "../platform/text/texts.ts";
import { listFiles, findClinicZone } from "./workorder.store.ts";
import type { WorkOrderFile } from "./workorder.store.ts";
import { loadOrder } from "./workorder.view.ts";

/** Replaces the institution in a document's address for a user who works outside every institution. */
export const noInstitution = "0";
/** Only finished work has a document. */
export const isFinishedWork = ({ state, outcome }: Pick<Workorder, "state" | "outcome">): boolean =>
  state === "finished" || outcome === "done";

/** Opens the document of a finished work order as its reader may see it; `scheme` contains the role of the reader. */
export const openWorkorderDocument =
  (database: Database): OpenDocument =>
  async ({ iid, uid, id, language, scheme }, now) => {
    const institutionId = iid === noInstitution ? null : iid;
    const principal = { uid, iid: institutionId, role: scheme as "afterSalesMember" };
    const read = await database.as(
      { system: false, iid: institutionId, uid, service: institutionId === null },
      async (db) => {
        const order = await loadOrder({ db, principal, now }, id);
        if (!isFinishedWork(order)) refuse("workorderActionNotAllowed");
        const shown = new Set(order.files.map((file) => file.id));
        const kept = (await listFiles(db, id)).filter((file) => shown.has(file.id));
        return { order, kept, zone: await findClinicZone(db, order.clinic.id) };
      },
    );
    const images = await loadImages(id, read.kept);
    const documentLanguage = offeredLanguages.find((one) => one === language) ?? "en";
    return {
      name: `${read.order.number}.pdf`,
      document: buildWorkorderDocument(read.order, images, { language: documentLanguage, zone: read.zone, now }),
    };
  };

async function loadImages(store: string, kept: readonly WorkOrderFile[]): Promise<PdfImage[]> {
  const images: PdfImage[] = [];
  for (const { role, name, shown_sha256, shown_width, shown_height } of kept) {
    if (role !== "picture" || !shown_sha256 || !shown_width || !shown_height) continue;
    const bytes = await buffer(await files().read("converted", store, shown_sha256));
    images.push({ bytes, width: shown_width, height: shown_height, captions: [name] });
  }
  return images;
}

type Translate = TranslateIn<"workorder">;

interface DocumentOptions {
  language: Language;
  /** The time zone of the clinic where the work was done. */
  zone: string;
  now: Date;
}
function buildWorkorderDocument(
  order: Workorder,
  images: readonly PdfImage[],
  { language, zone, now }: DocumentOptions,
): PdfDocument {
  const t = translatorOf(language, "workorder");
  const finish = order.finish!;
  return {
    language: language === "zh" ? "zh-CN" : "en",
    title: `${t("print.title")} ${order.number}`,
    author: "Arcada",
    footer: t("print.foot", { number: order.number, time: formatWithZone(zone, now) }),
    pageOf: translate(language, "order", "print.page"),
    blocks: [
      { kind: "title", text: t("print.title"), aside: order.number },
      { kind: "facts", rows: headerRows(order, t, zone) },
      { kind: "heading", text: t("field.description") },
      { kind: "text", text: order.description },
      { kind: "heading", text: t("finish.title") },
      { kind: "text", text: finish.description },
      ...buildPartBlocks(finish.parts, t),
      ...(images.length > 0
        ? [
            { kind: "heading", text: t("role.picture") } as const,
            { kind: "images", columns: 2, maxHeight: 220, images } as const,
          ]
        : []),
      ...buildFileBlocks(order, t),
      { kind: "signature", names: [t("print.technician"), t("print.clinic"), t("print.date")] },
    ],
  };
}

const headerRows = (order: Workorder, t: Translate, zone: string): (readonly [string, string])[] =>
  (
    [
      [t("field.type"), t(`type.${order.type}`)],
      [t("field.state"), t(`state.${order.state}`)],
      [t("field.clinic"), order.clinic.name],
      [t("field.address"), order.toAddress ?? order.address],
      [t("field.contact"), `${order.contact} ${order.contactPhone}`],
      [t("field.device"), `${order.device.product} ${order.device.model}`],
      [t("field.serialNumber"), order.finish?.serialNumber ?? order.device.serialNumber],
      [t("field.toClinic"), order.toClinic?.name ?? null],
      [t("field.assignee"), order.assignee?.name ?? null],
      [t("field.reviewer"), order.reviewer],
      [t("field.createdAt"), formatWithZone(zone, order.createdAt)],
      [t("field.plannedAt"), order.plannedAt && formatWithZone(zone, order.plannedAt)],
      [t("field.startedAt"), order.startedAt && formatWithZone(zone, order.startedAt)],
      [t("field.finishedAt"), order.finishedAt && formatWithZone(zone, order.finishedAt)],
      [t("field.rework"), order.reworkCount > 0 ? String(order.reworkCount) : null],
    ] as const
  ).filter((row): row is readonly [string, string] => Boolean(row[1]));

const buildPartBlocks = (parts: NonNullable<Workorder["finish"]>["parts"], t: Translate): PdfBlock[] =>
  parts.length === 0
    ? []
    : [
        { kind: "heading", text: t("finish.parts") },
        {
          kind: "table",
          head: [t("part.name"), t("part.number"), t("part.quantity")],
          widths: [4, 3, 1],
          rows: parts.map(({ name, number, quantity }) => ({ cells: [name, number, String(quantity)] })),
        },
      ];

/** The receipt and what else was attached, by name: they are files of their own. */
function buildFileBlocks({ files }: Workorder, t: Translate): PdfBlock[] {
  const listed = files.filter(({ role }) => role === "receipt" || role === "attachment");
  if (listed.length === 0) return [];
  return [
    { kind: "heading", text: t("print.files") },
    {
      kind: "table",
      head: [t("print.file"), t("print.kind"), t("print.size")],
      widths: [5, 2, 1.5],
      rows: listed.map(({ name, role, bytes }) => ({
        cells: [name, t(`role.${role}`), `${(bytes / 1e6).toFixed(1)} MB`],
      })),
    },
  ];
}
