import { buffer } from "node:stream/consumers";
import { offeredLanguages } from "@arcada/contract/kernel/languages";
import type { Language } from "@arcada/contract/kernel/languages";
import { zonedTime } from "@arcada/contract/kernel/time-zone";
import type { Workorder } from "@arcada/contract/workorder/workorder.calls";
import type { Database } from "../platform/database/database.ts";
import type { OpenDocument } from "../platform/http/document-routes.ts";
import type { PdfBlock, PdfDocument, PdfImage } from "../platform/pdf/pdf.ts";
import { refuse } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import { textOf } from "../platform/text/texts.ts";
import { filesOf, zoneOfClinic } from "./workorder.store.ts";
import type { WorkOrderFile } from "./workorder.store.ts";
import { viewOrder } from "./workorder.view.ts";

/** Replaces the institution in a paper's address for a user who works outside every institution. */
export const noHouse = "0";
/** Papers are of finished work. */
export const isPrintable = ({ state, outcome }: Pick<Workorder, "state" | "outcome">): boolean =>
  state === "finished" || outcome === "done";

/** Opens the paper of a finished work order as its reader may know it; `scheme` contains the role of the reader. */
export const openWorkorderPaper =
  (database: Database): OpenDocument =>
  async ({ iid, uid, id, language, scheme }, now) => {
    const place = iid === noHouse ? null : iid;
    const asker = { uid, iid: place, role: scheme as "afterSalesMember" };
    const read = await database.as({ system: false, iid: place, uid, service: place === null }, async (db) => {
      const order = await viewOrder({ db, asker, now }, id);
      if (!isPrintable(order)) refuse("workorderActionNotAllowed");
      const shown = new Set(order.files.map((file) => file.id));
      const kept = (await filesOf(db, id)).filter((file) => shown.has(file.id));
      return { order, kept, zone: await zoneOfClinic(db, order.clinic.id) };
    });
    const images = await picturesOf(id, read.kept);
    const spoken = offeredLanguages.find((one) => one === language) ?? "en";
    return {
      name: `${read.order.number}.pdf`,
      paper: workorderPaper(read.order, images, { language: spoken, zone: read.zone, now }),
    };
  };

async function picturesOf(store: string, kept: readonly WorkOrderFile[]): Promise<PdfImage[]> {
  const images: PdfImage[] = [];
  for (const { role, name, shown_sha256, shown_width, shown_height } of kept) {
    if (role !== "picture" || !shown_sha256 || !shown_width || !shown_height) continue;
    const bytes = await buffer(await files().read("converted", store, shown_sha256));
    images.push({ bytes, width: shown_width, height: shown_height, words: [name] });
  }
  return images;
}

type Say = (key: string, values?: Record<string, string | number>) => string;

interface How {
  language: Language;
  /** The time zone of the clinic where the work was done. */
  zone: string;
  now: Date;
}
function workorderPaper(order: Workorder, images: readonly PdfImage[], { language, zone, now }: How): PdfDocument {
  const say: Say = (key, values) => textOf(language, "workorder", key, values);
  const finish = order.finish!;
  return {
    language: language === "zh" ? "zh-CN" : "en",
    title: `${say("print.title")} ${order.number}`,
    author: "Arcada",
    foot: say("print.foot", { number: order.number, time: zonedTime(zone, now) }),
    pageOf: textOf(language, "order", "print.page"),
    blocks: [
      { kind: "title", text: say("print.title"), aside: order.number },
      { kind: "facts", rows: headRows(order, say, zone) },
      { kind: "heading", text: say("field.description") },
      { kind: "text", text: order.description },
      { kind: "heading", text: say("finish.title") },
      { kind: "text", text: finish.description },
      ...partBlocks(finish.parts, say),
      ...(images.length > 0
        ? [
            { kind: "heading", text: say("role.picture") } as const,
            { kind: "images", columns: 2, most: 220, images } as const,
          ]
        : []),
      ...fileBlocks(order, say),
      { kind: "signature", names: [say("print.technician"), say("print.clinic"), say("print.date")] },
    ],
  };
}

const headRows = (order: Workorder, say: Say, zone: string): (readonly [string, string])[] =>
  (
    [
      [say("field.type"), say(`type.${order.type}`)],
      [say("field.state"), say(`state.${order.state}`)],
      [say("field.clinic"), order.clinic.name],
      [say("field.address"), order.toAddress ?? order.address],
      [say("field.contact"), `${order.contact} ${order.contactPhone}`],
      [say("field.device"), `${order.device.product} ${order.device.model}`],
      [say("field.serialNumber"), order.finish?.serialNumber ?? order.device.serialNumber],
      [say("field.toClinic"), order.toClinic?.name ?? null],
      [say("field.assignee"), order.assignee?.name ?? null],
      [say("field.reviewer"), order.reviewer],
      [say("field.createdAt"), zonedTime(zone, order.createdAt)],
      [say("field.startedAt"), order.startedAt && zonedTime(zone, order.startedAt)],
      [say("field.finishedAt"), order.finishedAt && zonedTime(zone, order.finishedAt)],
      [say("field.rework"), order.reworkCount > 0 ? String(order.reworkCount) : null],
    ] as const
  ).filter((row): row is readonly [string, string] => Boolean(row[1]));

const partBlocks = (parts: NonNullable<Workorder["finish"]>["parts"], say: Say): PdfBlock[] =>
  parts.length === 0
    ? []
    : [
        { kind: "heading", text: say("finish.parts") },
        {
          kind: "table",
          head: [say("part.name"), say("part.number"), say("part.quantity")],
          widths: [4, 3, 1],
          rows: parts.map(({ name, number, quantity }) => ({ cells: [name, number, String(quantity)] })),
        },
      ];

/** The receipt and what else was attached, by name: they are files of their own. */
function fileBlocks({ files }: Workorder, say: Say): PdfBlock[] {
  const listed = files.filter(({ role }) => role === "receipt" || role === "attachment");
  if (listed.length === 0) return [];
  return [
    { kind: "heading", text: say("print.files") },
    {
      kind: "table",
      head: [say("print.file"), say("print.kind"), say("print.size")],
      widths: [5, 2, 1.5],
      rows: listed.map(({ name, role, bytes }) => ({
        cells: [name, say(`role.${role}`), `${(bytes / 1e6).toFixed(1)} MB`],
      })),
    },
  ];
}
