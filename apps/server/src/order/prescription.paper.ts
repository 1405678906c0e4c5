import type { Language } from "@arcada/contract/kernel/languages";
import { zonedTime } from "@arcada/contract/kernel/time-zone";
import { teethText } from "@arcada/contract/kernel/tooth";
import type { ToothScheme } from "@arcada/contract/kernel/tooth";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderContact } from "@arcada/contract/order/order.parts";
import type { PdfBlock, PdfDocument } from "../platform/pdf/pdf.ts";
import { textOf } from "../platform/text/texts.ts";
import { chartColours, toothChart } from "./prescription.chart.ts";

interface How {
  language: Language;
  scheme: ToothScheme;
  /** The time zone of the institution that sends the order. */
  zone: string;
}
type Say = (key: string, values?: Record<string, string | number>) => string;

/** Builds the printed prescription of an order in one reader's language. */
export function prescriptionPaper(order: Order, { language, scheme, zone }: How, now: Date): PdfDocument {
  const say: Say = (key, values) => textOf(language, "order", key, values);
  const teeth = (some: readonly number[]) => teethText(some, scheme).replace(/[\u2066\u2069]/g, "");
  const { items } = order.prescription;
  return {
    language: language === "zh" ? "zh-CN" : "en",
    title: `${say("print.title")} ${order.number}`,
    author: order.sender.name,
    foot: say("print.foot", { number: order.number, revision: order.rxRevision, time: zonedTime(zone, now) }),
    pageOf: say("print.page"),
    blocks: [
      { kind: "title", text: say("print.title"), aside: order.number },
      { kind: "facts", rows: headRows(order, say) },
      ...(items.length > 0 ? itemBlocks(order, say, teeth, scheme) : []),
      { kind: "heading", text: say("print.details") },
      { kind: "facts", rows: detailRows(order, say) },
      ...said(say("form.instructions"), order.prescription.instructions),
      ...fileBlocks(order, say),
      { kind: "signature", names: [say("print.signature"), say("print.date")] },
    ],
  };
}

type Row = readonly [string, string];
/** Drops rows without a value. */
const filled = (rows: readonly (readonly [string, string | null])[]): Row[] =>
  rows.filter((row): row is Row => Boolean(row[1]));

const headRows = (order: Order, say: Say): Row[] =>
  filled([
    [say("detail.patient"), order.patientName],
    [say("print.patientNumber"), order.patientNumber],
    [say("detail.sender"), order.sender.name],
    [say("print.senderContact"), reachedBy(order.contacts.sender)],
    [say("detail.creator"), withPhone(order.responsibleName, order.contacts.sender)],
    [say("print.creator"), order.creatorName === order.responsibleName ? null : order.creatorName],
    [say("detail.receiver"), order.receiver?.name ?? say("noLab")],
    [say("print.receiverContact"), reachedBy(order.contacts.receiver)],
    [say("detail.assignee"), order.assigneeName && withPhone(order.assigneeName, order.contacts.receiver)],
    [say("column.state"), say(`state.${order.state}`)],
    [say("detail.due"), order.dueDate],
    [say("detail.promised"), order.promisedDate],
    [say("print.revision"), String(order.rxRevision)],
    [say("form.sourceOrder"), order.prescription.sourceOrder],
  ]);

const withPhone = (name: string, contact: OrderContact | null): string =>
  [name, contact?.phone].filter(Boolean).join(" · ");
const reachedBy = (contact: OrderContact | null): string | null =>
  contact && [contact.contactPerson, contact.contactWay, contact.address].filter(Boolean).join(" · ");

function detailRows({ prescription: rx }: Order, say: Say): Row[] {
  const list = (kind: string, values: readonly string[]) => values.map((one) => say(`${kind}.${one}`)).join(" · ");
  return filled([
    [say("form.caseType"), say(`caseType.${rx.caseType}`)],
    [say("form.workKinds"), list("workKind", rx.workKinds)],
    [say("form.jaws"), list("jaw", rx.jaws)],
    [say("role.scheme"), say(rx.schemeRequired ? "detail.schemeWanted" : "detail.noScheme")],
    [say("form.implantSystem"), rx.implantSystem],
    [say("form.fixType"), rx.fixType && say(`fixType.${rx.fixType}`)],
    [say("form.torque"), rx.torque === null ? null : String(rx.torque)],
    [say("form.gingiva"), rx.gingiva && say(`gingiva.${rx.gingiva}`)],
    [say("form.antagonist"), rx.antagonist && say(`antagonist.${rx.antagonist}`)],
    [say("form.noDigitalFiles"), rx.noDigitalFiles ? say("detail.physical") : null],
  ]);
}

function itemBlocks(
  { prescription: { items } }: Order,
  say: Say,
  teeth: (some: readonly number[]) => string,
  scheme: ToothScheme,
): PdfBlock[] {
  const shapes = toothChart(
    items.map((item) => ({ ...item, isBridge: item.kind === "bridge" })),
    scheme,
  );
  return [
    { kind: "heading", text: say("item.title") },
    { kind: "drawing", ...shapes },
    {
      kind: "table",
      head: [say("print.teeth"), say("item.kind"), say("item.material"), say("item.shade"), say("item.remark")],
      widths: [2.2, 2, 2.2, 1.5, 4],
      rows: items.map((item, at) => ({
        colour: chartColours[at % chartColours.length]!,
        cells: [
          teeth(item.teeth),
          say(`kind.${item.kind}`),
          item.material ? say(`material.${item.material}`) : "",
          item.shade ?? "",
          [
            item.pontics.length > 0 ? `${say("item.pontics")}: ${teeth(item.pontics)}` : "",
            item.stumpShade ? `${say("item.stumpShade")}: ${item.stumpShade}` : "",
            item.remark ?? "",
          ]
            .filter(Boolean)
            .join("\n"),
        ],
      })),
    },
  ];
}

const said = (title: string, text: string | null): PdfBlock[] =>
  text
    ? [
        { kind: "heading", text: title },
        { kind: "text", text },
      ]
    : [];

/** Lists the files that were sent with the prescription by their content: a file with other bytes is another file. */
function fileBlocks({ files }: Order, say: Say): PdfBlock[] {
  const own = files.filter(({ revisionId }) => revisionId === null);
  // This short part stays together with the signature below it, which must not be alone on a page.
  if (own.length === 0)
    return [
      { kind: "heading", text: say("form.files"), before: 110 },
      { kind: "text", text: say("detail.noFiles") },
    ];
  return [
    { kind: "heading", text: say("form.files") },
    {
      kind: "table",
      small: true,
      head: [say("print.file"), say("form.role"), say("print.size"), "SHA-256"],
      widths: [2.5, 1.2, 1, 5.6],
      rows: own.map(({ name, role, bytes, sha256 }) => ({
        cells: [name, say(`role.${role}`), sizeText(bytes), sha256],
      })),
    },
  ];
}

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
