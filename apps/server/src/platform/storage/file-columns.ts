import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { StorageArea } from "./file-store.ts";

/** A column that refers to a stored file by its content hash. */
export interface FileColumn {
  table: string;
  column: string;
  area: StorageArea;
  /** The column that names the store of the file. */
  owner: string;
  /** The condition for rows, of table `t`, that refer to a file. */
  when?: RawBuilder<boolean>;
  /** True if the row only records that the store holds the content, which is no reason to keep it. */
  isCount?: true;
}

const column = (table: string, name: string, area: StorageArea, more: Partial<FileColumn> = {}): FileColumn => ({
  table,
  column: name,
  area,
  owner: "institution_id",
  ...more,
});

/**
 * Every column that refers to a stored file. A file to which none of them refers is deleted; a test detects a column
 * that is missing here.
 */
export const fileColumns: readonly FileColumn[] = [
  column("stored_file", "sha256", "originals", { isCount: true }),
  column("upload", "sha256", "originals"),
  column("instance", "sha256", "originals"),
  // A volume represents all files of its study: its value is not the hash of a file.
  column("order_file", "sha256", "originals", { owner: "owner_id", when: sql`t.study_id is null` }),
  column("engine_pack", "sha256", "originals"),
  column("visit_file", "sha256", "originals"),
  column("consent", "scan_sha256", "originals"),
  column("implant_document", "sha256", "originals"),
  column("ingest_content", "sha256", "originals", { when: sql`t.area = 'originals'` }),
  column("ingest_content", "sha256", "converted", { when: sql`t.area = 'converted'` }),
  column("converted_file", "sha256", "converted"),
  column("analysis_artefact", "sha256", "converted"),
  column("order_glb", "sha256", "converted"),
  column("order_glb", "coarse_sha256", "converted"),
  column("order_picture", "sha256", "converted"),
  column("cleaned_file", "sha256", "converted"),
  column("report_picture", "sha256", "converted"),
  column("report_paper", "sha256", "converted"),
  column("study", "thumbnail", "converted"),
  column("series", "thumbnail", "converted"),
  column("instance", "thumbnail", "converted"),
  column("institution", "logo_cover", "converted", { owner: "id" }),
  column("institution", "logo_inside", "converted", { owner: "id" }),
  column("users", "avatar", "converted", { owner: "id" }),
  column("taking", "sha256", "converted"),
  column("taking_file", "sha256", "converted"),
  column("arrival", "sha256", "converted", { owner: "id" }),
  column("work_order_file", "sha256", "converted", { owner: "work_order_id" }),
  column("work_order_file", "shown_sha256", "converted", { owner: "work_order_id" }),
  column("work_order_file", "thumbnail_sha256", "converted", { owner: "work_order_id" }),
  column("device_consent", "sha256", "converted", { owner: "id" }),
  column("feedback_file", "sha256", "converted", { owner: "id" }),
  column("package_arrival", "sha256", "originals", { owner: "id" }),
  column("upgrade_package", "sha256", "originals", { owner: "id" }),
];

/** True if any row refers to this content of this store. */
export const isReferenced = (
  area: StorageArea,
  store: RawBuilder<string>,
  sha256: RawBuilder<string>,
): RawBuilder<boolean> => {
  const named = fileColumns.filter((one) => one.area === area && !one.isCount);
  return sql<boolean>`(${sql.join(
    named.map(
      (one) =>
        sql`exists (select from ${sql.table(one.table)} t where t.${sql.ref(one.owner)} = ${store}
          and t.${sql.ref(one.column)} = ${sha256} ${one.when ? sql`and ${one.when}` : sql``})`,
    ),
    sql` or `,
  )})`;
};
