import type { Generated } from "kysely";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";

export interface NoticeTable {
  institution_id: string | null;
  id: string;
  user_id: string;
  kind: NoticeKind;
  params: Generated<Record<string, string>>;
  link: string | null;
  seen_at: string | null;
  created_at: Generated<string>;
}

/** Null: the default of the kind. */
export interface NoticeSwitchTable {
  user_id: string;
  kind: NoticeKind;
  site: boolean | null;
  email: boolean | null;
}
