import type { Language } from "@arcada/contract/kernel/languages";
import { formatWithZone } from "@arcada/contract/kernel/time-zone";
import { formatTeeth } from "@arcada/contract/kernel/tooth-numbers";
import type { ToothScheme } from "@arcada/contract/kernel/tooth-schemes";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderContact } from "@arcada/contract/order/order-parts.schema";
import type { PdfBlock, PdfDocument } from "../../platform/pdf/pdf-blocks.ts";
import { translatorOf } from "../../platform/text/texts.ts";
import type { TranslateIn } from "../../platform/text/texts.ts";
import { chartColours, toothChart } from "./draw-prescription-teeth.ts";

interface DocumentOptions {
  language: Language;
  scheme: ToothScheme;
  /** The time zone of the institution that sends the order. */
  zone: string;
}
type Translate = TranslateIn<"order">;

/** Builds the printed prescription of an order in one reader's language. */
export function buildPrescriptionDocument(
  order: Order,
  { language, scheme, zone }: DocumentOptions,
  now: Date,
): PdfDocument {
  const t = translatorOf(language, "order");
  const teeth = (some: readonly number[]) => formatTeeth(some, scheme).replace(/[\u2066\u2069]/g, "");
  const { items } = order.prescription;
  return {
    language: language === "zh" ? "zh-CN" : "en",
    title: `${t("print.title")} ${order.number}`,
    author: order.sender.name,
    footer: t("print.foot", { number: order.number, revision: order.rxRevision, time: formatWithZone(zone, now) }),
    pageOf: t("print.page"),
    blocks: [
      { kind: "title", text: t("print.title"), aside: order.number },
      { kind: "facts", rows: headRows(order, t) },
      ...(items.length > 0 ? itemBlocks(order, t, teeth, scheme) : []),
      { kind: "heading", text: t("print.details") },
      { kind: "facts", rows: detailRows(order, t) },
      ...textSection(t("form.instructions"), order.prescription.instructions),
      ...fileBlocks(order, t),
      { kind: "signature", names: [t("print.signature"), t("print.date")] },
    ],
  };
}

type Row = readonly [string, string];
/** Drops rows without a value. */
const withValues = (rows: readonly (readonly [string, string | null])[]): Row[] =>
  rows.filter((row): row is Row => Boolean(row[1]));

const headRows = (order: Order, t: Translate): Row[] =>
  withValues([
    [t("detail.patient"), order.patientName],
    [t("print.patientNumber"), order.patientNumber],
    [t("detail.sender"), order.sender.name],
    [t("print.senderContact"), contactText(order.contacts.sender)],
    [t("detail.creator"), withPhone(order.responsibleName, order.contacts.sender)],
    [t("print.creator"), order.creatorName === order.responsibleName ? null : order.creatorName],
    [t("detail.receiver"), order.receiver?.name ?? t("noLab")],
    [t("print.receiverContact"), contactText(order.contacts.receiver)],
    [t("detail.assignee"), order.assigneeName && withPhone(order.assigneeName, order.contacts.receiver)],
    [t("column.state"), t(`state.${order.state}`)],
    [t("detail.due"), order.dueDate],
    [t("detail.promised"), order.promisedDate],
    [t("print.revision"), String(order.rxRevision)],
    [t("form.sourceOrder"), order.prescription.sourceOrder],
  ]);

const withPhone = (name: string, contact: OrderContact | null): string =>
  [name, contact?.phone].filter(Boolean).join(" · ");
const contactText = (contact: OrderContact | null): string | null =>
  contact && [contact.contactPerson, contact.contactWay, contact.address].filter(Boolean).join(" · ");

function detailRows({ prescription: rx }: Order, t: Translate): Row[] {
  return withValues([
    [t("form.caseType"), t(`caseType.${rx.caseType}`)],
    [t("form.workKinds"), rx.workKinds.map((kind) => t(`workKind.${kind}`)).join(" · ")],
    [t("form.jaws"), rx.jaws.map((jaw) => t(`jaw.${jaw}`)).join(" · ")],
    [t("role.scheme"), t(rx.schemeRequired ? "detail.schemeWanted" : "detail.noScheme")],
    [t("form.implantSystem"), rx.implantSystem],
    [t("form.fixType"), rx.fixType && t(`fixType.${rx.fixType}`)],
    [t("form.torque"), rx.torque === null ? null : String(rx.torque)],
    [t("form.gingiva"), rx.gingiva && t(`gingiva.${rx.gingiva}`)],
    [t("form.antagonist"), rx.antagonist && t(`antagonist.${rx.antagonist}`)],
    [t("form.noDigitalFiles"), rx.noDigitalFiles ? t("detail.physical") : null],
  ]);
}

function itemBlocks(
  { prescription: { items } }: Order,
  t: Translate,
  teeth: (some: readonly number[]) => string,
  scheme: ToothScheme,
): PdfBlock[] {
  const shapes = toothChart(
    items.map((item) => ({ ...item, isBridge: item.kind === "bridge" })),
    scheme,
  );
  return [
    { kind: "heading", text: t("item.title") },
    { kind: "drawing", ...shapes },
    {
      kind: "table",
      head: [t("print.teeth"), t("item.kind"), t("item.material"), t("item.shade"), t("item.remark")],
      widths: [2.2, 2, 2.2, 1.5, 4],
      rows: items.map((item, at) => ({
        colour: chartColours[at % chartColours.length]!,
        cells: [
          teeth(item.teeth),
          t(`kind.${item.kind}`),
          item.material ? t(`material.${item.material}`) : "",
          item.shade ?? "",
          [
            item.pontics.length > 0 ? `${t("item.pontics")}: ${teeth(item.pontics)}` : "",
            item.stumpShade ? `${t("item.stumpShade")}: ${item.stumpShade}` : "",
            item.remark ?? "",
          ]
            .filter(Boolean)
            .join("\n"),
        ],
      })),
    },
  ];
}

const textSection = (title: string, text: string | null): PdfBlock[] =>
  text
    ? [
        { kind: "heading", text: title },
        { kind: "text", text },
      ]
    : [];

/** Lists the files that were sent with the prescription by their content: a file with other bytes is another file. */
function fileBlocks({ files }: Order, t: Translate): PdfBlock[] {
  const own = files.filter(({ revisionId }) => revisionId === null);
  // This short part stays together with the signature below it, which must not be alone on a page.
  if (own.length === 0)
    return [
      { kind: "heading", text: t("form.files"), before: 110 },
      { kind: "text", text: t("detail.noFiles") },
    ];
  return [
    { kind: "heading", text: t("form.files") },
    {
      kind: "table",
      small: true,
      head: [t("print.file"), t("form.role"), t("print.size"), "SHA-256"],
      widths: [2.5, 1.2, 1, 5.6],
      rows: own.map(({ name, role, bytes, sha256 }) => ({
        cells: [name, t(`role.${role}`), sizeText(bytes), sha256],
      })),
    },
  ];
}

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
