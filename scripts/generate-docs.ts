import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { insertTables } from "../bench/model/sizing-tables.ts";
import { everyCall } from "@arcada/contract/calls";
import type { Lifecycle } from "@arcada/contract/kernel/lifecycle";
import { hasAccess, roleNames } from "@arcada/contract/kernel/roles";
import type { Access } from "@arcada/contract/kernel/roles";
import { analysisLifecycle } from "@arcada/contract/analysis/analysis.lifecycle";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import { relationLifecycle } from "@arcada/contract/relation/relation.lifecycle";
import { shareLifecycle } from "@arcada/contract/share/share.lifecycle";
import { screens } from "@arcada/contract/screens";
import type { Screen } from "@arcada/contract/screens";
import type { TableName } from "../apps/server/src/platform/runtime/slice.ts";
import { describeAdminCommands } from "../apps/server/src/admin-commands.ts";
import { platformTables, slices } from "../apps/server/src/slices.ts";
import { listWriteCallers } from "./list-table-access.ts";
import { renderDataMap, renderRetention } from "./compliance/compliance-pages.ts";
import { readClientModel } from "./client-generators/client-calls.ts";
import { renderPython } from "./client-generators/render-python.ts";
import { renderTypeScript } from "./client-generators/render-typescript.ts";
import { renderRefusalsBySlice } from "./lib/refusals-by-slice.ts";
import { renderLicences } from "./render-licences.ts";
import { renderDecodersPage } from "./decoder-reference/decoders-page.ts";
import { readRenderedTable } from "./decoder-reference/rendered-table.ts";
import { readDecoderTable } from "./decoder-reference/decoder-table.ts";

/** The documents that follow from the contract and the lock, by their place in the repository. Run this file to write them. */
export const generatedDocs = (): Record<string, string> => ({
  "docs/map.md": renderMap(),
  "docs/operator/admin-commands.md": renderAdminCommands(),
  "docs/compliance/data-map.md": renderDataMap(),
  "docs/compliance/retention.md": renderRetention(),
  "docs/licences.md": renderLicences(),
  "packages/contract/src/http-api/refusals-by-slice.generated.ts": renderRefusalsBySlice(),
  ...renderClients(),
  "docs/operator/sizing.md": insertTables(
    readFileSync(path.join(import.meta.dirname, "../docs/operator/sizing.md"), "utf8"),
  ),
  "docs/decoders.md": renderDecodersPage(readDecoderTable(), readRenderedTable()),
});

function renderClients(): Record<string, string> {
  const model = readClientModel();
  return {
    "packages/client/src/calls.generated.ts": renderTypeScript(model),
    "packages/client/python/arcada_client.py": renderPython(model),
  };
}

const renderAdminCommands = (): string =>
  [
    "# Commands on the server",
    "",
    "Made from the commands of the slices by `node scripts/generate-docs.ts`; a test compares them.",
    "",
    "`node scripts/app.mjs admin COMMAND` works on the data that the settings name, whether the server runs or not. Every change is an entry of the audit log, with the user of the operating system who ran it. Exit code 0: done; 1: the result needs attention; 2: wrong arguments or settings, named in one sentence.",
    "",
    "```",
    describeAdminCommands(),
    "```",
    "",
  ].join("\n");

const renderMap = (): string =>
  [
    "# Map",
    "",
    "Made from the contract and the manifests of the slices by `node scripts/generate-docs.ts`; a test compares them.",
    "",
    "## Calls and roles",
    "",
    ...renderAccessTable(
      everyCall().map(({ name, row }) => ({ name: `\`${name}\` ${row.method} ${row.path}`, access: row.access })),
    ),
    "",
    "## Screens and roles",
    "",
    ...renderAccessTable(
      Object.entries(screens as Record<string, Screen>).map(([name, { path: where, access }]) => ({
        name: `\`${name}\` ${where}`,
        access,
      })),
    ),
    "",
    "## Life cycles",
    "",
    ...renderLifecycle("Order", orderLifecycle),
    ...renderLifecycle("Relationship", relationLifecycle),
    ...renderLifecycle("Share link", shareLifecycle),
    ...renderLifecycle("Analysis", analysisLifecycle),
    ...renderTables(),
  ].join("\n");

const renderAccessTable = (rows: { name: string; access: Access }[]): string[] => [
  `| | anyone | visitor by a link | ${roleNames.join(" | ")} |`,
  `|---|---|---|${roleNames.map(() => "---|").join("")}`,
  ...rows.map(
    ({ name, access }) =>
      `| ${name} | ${access === "anyone" ? "●" : ""} | ${access === "anyone" || access === "share" ? "●" : ""} | ${roleNames.map((role) => (hasAccess(access, role) ? "●" : "")).join(" | ")} |`,
  ),
];

/** The owner of each table, and the slices that read it or have its owner write to it. */
function renderTables(): string[] {
  const owners = [{ name: "platform", tables: platformTables }, ...slices];
  const readersOf = (table: TableName) => slices.filter(({ reads }) => reads?.includes(table)).map(({ name }) => name);
  return [
    "## Tables and slices",
    "",
    "Each table belongs to the slice that writes to it. Other slices declare what they read.",
    "",
    "| table | belongs to | read by |",
    "|---|---|---|",
    ...owners
      .flatMap(({ name, tables }) => (tables ?? []).map((table) => ({ name, table })))
      .toSorted((one, other) => (one.table < other.table ? -1 : 1))
      .map(({ name, table }) => `| \`${table}\` | ${name} | ${readersOf(table).join(", ")} |`),
    "",
    "Slices that write rows of others call the functions that the owner offers in a `.writes.ts`:",
    "",
    "| functions of | are called by |",
    "|---|---|",
    ...listWriteCallers().map(({ file, callers }) => `| \`${file}\` | ${callers.join(", ")} |`),
    "",
  ];
}

function renderLifecycle<S extends string, A extends string, P extends string, K extends string>(
  title: string,
  table: Lifecycle<S, A, P, K>,
): string[] {
  const arrows = (Object.keys(table.steps) as A[]).flatMap((action) => {
    const { from, to, id } = table.steps[action];
    const stays = from.length > 1 && from.every((state) => to.includes(state));
    const pairs =
      from.length === 0
        ? to.map((end) => ["[*]", end])
        : from.flatMap((start) =>
            to.filter((end) => !stays || end === start || !from.includes(end)).map((end) => [start, end]),
          );
    return pairs.map(([start, end]) => `  ${start} --> ${end}: ${id} ${action}`);
  });
  return [
    `### ${title}`,
    "",
    "```mermaid",
    "stateDiagram-v2",
    ...arrows,
    ...table.terminal.map((state) => `  ${state} --> [*]`),
    "```",
    "",
  ];
}

if (process.argv[1] === import.meta.filename)
  for (const [file, content] of Object.entries(generatedDocs()))
    writeFileSync(path.join(import.meta.dirname, "..", file), content);
