import { archiveTables, tablesNotExported } from "../../apps/server/src/data-export/archive-tables.ts";
import { fileColumns } from "../../apps/server/src/platform/storage/file-columns.ts";
import { platformRetention } from "../../apps/server/src/platform/runtime/platform-retention.ts";
import type { RetentionRule, TableName } from "../../apps/server/src/platform/runtime/slice.ts";
import { platformTables, slices } from "../../apps/server/src/slices.ts";
import { retentionRules, retentionYears } from "@arcada/contract/patient/retention-years";
import { dataClasses, tableData } from "./personal-data-classes.ts";
import type { DataClass } from "./personal-data-classes.ts";

const generatedNote = (source: string) =>
  `Made from ${source} by \`node scripts/generate-docs.ts\`; a test compares them.`;
const row = (...cells: string[]): string => `| ${cells.join(" | ")} |`;
const table = (head: readonly string[], rows: readonly string[][]): string[] => [
  row(...head),
  `|${head.map(() => "---|").join("")}`,
  ...rows.map((cells) => row(...cells)),
];

const ownerOf = (name: TableName): string =>
  slices.find(({ tables = [] }) => tables.includes(name))?.name ??
  (platformTables.includes(name) ? "platform" : "none");
const exportOf = (name: string): string =>
  archiveTables.some((one) => one.name === name) ? "yes" : name in tablesNotExported ? "no" : "not of an organisation";

/** The page about personal data: each table, whom its data concern, and what happens to them. */
export const renderDataMap = (): string =>
  [
    "# Data map",
    "",
    generatedNote("`scripts/compliance/personal-data-classes.ts` and the manifests of the slices"),
    "",
    "The map lists every table of the database. Legal bases are hints for the records of processing activities: who operates Arcada and who treats patients decides them with counsel.",
    "",
    "## Classes",
    "",
    ...table(
      ["class", "purpose", "hints for the legal basis", "recipients"],
      Object.values(dataClasses).map(({ title, purpose, basis, recipients }) => [title, purpose, basis, recipients]),
    ),
    "",
    "Arcada sends data to no other service than those that the operator configures: a mail server, an S3 store, a database, identity providers, model servers, webhooks of an organisation (`README.md`). There are no analytics and no advertising.",
    "",
    ...(Object.keys(dataClasses) as DataClass[]).flatMap(renderClass),
    "## Stored files",
    "",
    "Files lie under `DATA_DIR` or in the S3 bucket, named by the hash of their content, never by a name or a patient. `originals` are the bytes that were received, `converted` is made from them. Arcada does not encrypt them; the operator encrypts the disk or the bucket.",
    "",
    ...table(
      ["area", "referred to by", "class"],
      fileColumns.map((one) => [
        one.area,
        `\`${one.table}.${one.column}\``,
        dataClasses[tableData[one.table as TableName][0]].title,
      ]),
    ),
    "",
    "## Logs and other places",
    "",
    ...table(
      ["place", "content", "kept"],
      [
        [
          "log of the server (standard output)",
          "JSON lines: request id, path without query, network address, errors without values of rows (`error-handler.ts`)",
          "by the operator",
        ],
        ["`DATA_DIR/audit-anchors.jsonl`", "heads of the audit log", "until the operator deletes it"],
        ["`DATA_DIR/outbox`, without `SMTP_URL`", "emails, with codes and links", "until the operator deletes it"],
        [
          "queues (schema `pgboss`)",
          "jobs: ids; emails until they are sent",
          "emails 5 minutes after sending (`email-queue.ts`)",
        ],
        [
          "backups",
          "everything, encrypted if a key file is set (`docs/operator/backup.md`)",
          "the newest `BACKUP_KEEP`",
        ],
        [
          "browsers",
          "the session's cookies; drafts of forms in the tab's `sessionStorage`; the last lists and patient headers, encrypted under a key of the session, for twelve hours at most; cached images",
          "until sign-out, except images in the browser's own cache",
        ],
      ],
    ),
    "",
  ].join("\n");

function renderClass(name: DataClass): string[] {
  const names = (Object.keys(tableData) as TableName[]).filter((one) => tableData[one][0] === name);
  return [
    `## ${dataClasses[name].title}: tables`,
    "",
    ...table(
      ["table", "slice", "content", "in an organisation's export"],
      names.map((one) => [`\`${one}\``, ownerOf(one), tableData[one][1], exportOf(one)]),
    ),
    "",
  ];
}

/** The page about how long data are kept. */
export const renderRetention = (): string => {
  const rules: [string, RetentionRule][] = [
    ...slices.flatMap(({ name, retention = [] }) => retention.map((rule): [string, RetentionRule] => [name, rule])),
    ...platformRetention.map((rule): [string, RetentionRule] => ["platform", rule]),
  ];
  const covered = new Set(rules.flatMap(([, { tables }]) => tables));
  const others = (Object.keys(tableData) as TableName[]).filter(
    (name) => !covered.has(name) && tableData[name][0] !== "technical",
  );
  return [
    "# Retention",
    "",
    generatedNote("the manifests of the slices (`retention`)"),
    "",
    "## Medical records",
    "",
    "A record is kept for a period after the patient's last visit: the organisation's own setting, else that of its country. The organisation's manager can erase a patient earlier with a written reason (decision 39). A record that must be kept stays in the bin.",
    "",
    ...table(
      ["country", "years after the last visit"],
      [
        ...Object.entries(retentionYears).map(([country, years]) => [country, String(years)]),
        ["elsewhere", String(retentionRules.others)],
        ["the organisation's own setting", `0 to ${retentionRules.max}`],
      ],
    ),
    "",
    "## Periods",
    "",
    ...table(
      ["data", "tables", "period", "from", "slice", "enforced in"],
      rules.map(([slice, { data, tables, period, from, enforcedIn }]) => [
        data,
        tables.map((name) => `\`${name}\``).join(", "),
        period,
        from,
        slice,
        `\`${enforcedIn}\``,
      ]),
    ),
    "",
    "## Without a period",
    "",
    "These tables have no period of their own: their rows are kept until a person deletes the record to which they belong, erases the patient, or the operator deletes the instance. There is no command that erases the account of a member of staff, and none that erases an organisation.",
    "",
    ...table(
      ["class", "tables"],
      (Object.keys(dataClasses) as DataClass[])
        .map((name) => [
          dataClasses[name].title,
          others
            .filter((one) => tableData[one][0] === name)
            .map((one) => `\`${one}\``)
            .join(", "),
        ])
        .filter(([, names]) => names !== ""),
    ),
    "",
    "Rows in a backup are kept until the backup is deleted. Erasures are not replayed after a restore: erase again what was erased after the backup.",
    "",
  ].join("\n");
};
