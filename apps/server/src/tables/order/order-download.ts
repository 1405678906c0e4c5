import type { Generated } from "kysely";

export interface OrderDownloadTable {
  institution_id: string;
  id: string;
  sender_id: string;
  order_id: string;
  share_id: string | null;
  files: string[];
  language: string;
  created_at: Generated<string>;
}
