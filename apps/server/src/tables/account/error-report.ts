import type { Generated } from "kysely";

export interface ErrorReportTable {
  id: string;
  reporter: string;
  message: string;
  stack: Generated<string>;
  path: string;
  agent: Generated<string>;
  happened_at: string;
  at: Generated<string>;
}
