import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { StartError } from "../platform/runtime/config.ts";
import { parseLanguage, translatorOf, type Language } from "../platform/text/texts.ts";
import type { KeyIn } from "../platform/text/texts.ts";
import type { ForwardingState } from "./forwarder.ts";
import type { Hl7State } from "./hl7-listener.ts";
import type { SendQueue } from "./send-queue.ts";
import type { WatchState } from "./watch/folder-watcher.ts";
import type { Worklist } from "./worklist.ts";

export interface StatusSources {
  queue: SendQueue;
  state: ForwardingState;
  worklist: Worklist;
  /** `port` is null if only folders are watched. */
  about: { softwareVersion: string; cloud: string; port: number | null; title: string };
  watched: readonly WatchState[];
  hl7: Hl7State | null;
}

/** Describes the state of a gateway for the people on site: only figures, no patient data. */
export const buildStatus = ({ queue, state, worklist, about, watched, hl7 }: StatusSources) => {
  const { waiting, failed } = queue;
  return {
    ...about,
    device: state.device,
    waiting: {
      count: waiting.length,
      bytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
      oldestSeconds: waiting[0] ? secondsSince(waiting[0].arrivedAt) : null,
    },
    failed: failed.map(({ uid, reason }) => ({ uid, reason })),
    lastSuccess: toIsoTime(state.lastSuccessAt),
    trouble: state.trouble && { ...state.trouble, since: toIsoTime(state.trouble.since) },
    nextTry: toIsoTime(state.nextTryAt),
    disk: { usedBytes: queue.usedBytes, allowedBytes: queue.allowedBytes },
    watched,
    hl7: hl7 && { ...hl7, lastAt: toIsoTime(hl7.lastAt) },
    worklist: worklist.kept && { count: worklist.kept.count, ageSeconds: Math.round(worklist.kept.ageMs / 1000) },
  };
};
type Status = ReturnType<typeof buildStatus>;
const toIsoTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
const secondsSince = (since: number): number => Math.round((Date.now() - since) / 1000);

/** The state of the program for programs as JSON, and for people as a page in their language. */
export interface StatusView {
  toJson(): object;
  toPage(language: Language): string;
}

export const gatewayStatusView = (parts: StatusSources): StatusView => ({
  toJson: () => buildStatus(parts),
  toPage: (language) => renderPage(buildStatus(parts), language),
});

/** Serves requests from this machine only. */
export async function openStatusPage(view: StatusView, port: number): Promise<{ port: number; close(): void }> {
  const server = createServer((request, response) => {
    // Refuse requests from a page of another origin whose host name resolves to this machine.
    const isHere = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.headers.host ?? "");
    if (!isHere || request.method !== "GET" || request.url !== "/") return void response.writeHead(404).end();
    const isPage = request.headers.accept?.includes("text/html") ?? false;
    const text = isPage
      ? view.toPage(parseLanguage(request.headers["accept-language"]))
      : JSON.stringify(view.toJson(), null, 2);
    response.writeHead(200, {
      "content-type": isPage ? "text/html; charset=utf-8" : "application/json",
      "cache-control": "no-store",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'`,
      "x-content-type-options": "nosniff",
      ...(isPage && { refresh: "10" }),
    });
    response.end(text);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "EADDRINUSE" ? new StartError(`Port ${port} is in use: set GATEWAY_STATUS_PORT.`) : error),
    );
    server.listen({ host: "127.0.0.1", port }, resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const style =
  "body{font-family:system-ui,sans-serif;line-height:1.5;max-inline-size:44rem;margin:1rem auto;padding-inline:1rem}" +
  "th,td{text-align:start;vertical-align:top;padding-inline-end:1.5rem;overflow-wrap:anywhere}";
const styleHash = createHash("sha256").update(style).digest("base64");

export type StatusRow = [KeyIn<"gateway">, string];
function renderPage(status: Status, language: Language): string {
  const t = translatorOf(language, "gateway");
  const mb = (bytes: number): string =>
    new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(bytes / 1e6);
  const time = (at: string | null): string => (at ? formatLocalTime(language, at) : t("never"));
  const minutes = (count: number): string =>
    new Intl.NumberFormat(language, { style: "unit", unit: "minute", unitDisplay: "long" }).format(
      Math.floor(count / 60),
    );
  // Other reasons are numbers of the standard.
  const said = (reason: string): string => (reason === "tooLarge" ? t("tooLarge") : reason);
  const { device, waiting, failed, trouble, worklist, disk, watched, hl7 } = status;
  const describeFolder = ({ trouble: of, sent, growing, waiting: ready, refused }: WatchState): string =>
    [
      t("watchedFiles", { sent, growing, waiting: ready, refused }),
      ...(of === null ? [] : [t(of === "away" ? "watchedAway" : of)]),
    ].join(" · ");
  const rows: StatusRow[] = [
    ["cloud", status.cloud],
    ["device", device ? `${device.name} · ${device.clinic}` : t("notYet")],
    ["state", trouble ? t(trouble.kind, { reason: trouble.message }) : t("fine")],
    ...(trouble
      ? ([
          ["since", time(trouble.since)],
          ["nextTry", time(status.nextTry)],
        ] satisfies StatusRow[])
      : []),
    ["waiting", t("objects", { count: waiting.count, mb: mb(waiting.bytes) })],
    ["oldest", waiting.oldestSeconds === null ? "–" : minutes(waiting.oldestSeconds)],
    ["lastSuccess", time(status.lastSuccess)],
    [
      "failed",
      failed.length === 0
        ? "0"
        : `${failed.length}: ${[...new Set(failed.map(({ reason }) => said(reason)))].join(", ")}`,
    ],
    ["disk", t("used", { used: mb(disk.usedBytes), allowed: mb(disk.allowedBytes) })],
    ["worklist", worklist ? t("patients", { count: worklist.count, age: minutes(worklist.ageSeconds) }) : t("notYet")],
    ...(status.port === null ? [] : ([["address", `${status.title} · ${status.port}`]] satisfies StatusRow[])),
    ...watched.map((one): StatusRow => ["watched", `${one.folder}: ${describeFolder(one)}`]),
    ...(hl7 === null
      ? []
      : ([
          ["hl7", t("hl7Counts", { port: String(hl7.port), ...countsOf(hl7) })],
          ["hl7Last", time(hl7.lastAt)],
          ...(hl7.trouble === null ? [] : ([["hl7Trouble", hl7.trouble]] satisfies StatusRow[])),
        ] satisfies StatusRow[])),
    ["version", status.softwareVersion],
  ];
  return renderRows(language, "title", rows);
}

const countsOf = ({ accepted, rejected, unanswered }: NonNullable<Status["hl7"]>) => ({
  accepted,
  rejected,
  unanswered,
});

export const formatLocalTime = (language: Language, at: string): string =>
  // oxlint-disable-next-line arcada/zoned-dates -- the page is read next to the program, in that machine's local time
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(at));

/** A page of one table, which loads itself again. */
export function renderRows(language: Language, titleKey: KeyIn<"gateway">, rows: readonly StatusRow[]): string {
  const t = translatorOf(language, "gateway");
  const title = escapeHtml(t(titleKey));
  const cells = rows.map(
    ([key, value]) => `<tr><th scope="row">${escapeHtml(t(key))}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const direction = language === "ar" ? "rtl" : "ltr";
  return `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><style>${style}</style></head><body><main><h1>${title}</h1><table>${cells.join("")}</table></main></body></html>\n`;
}

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
