import type { Generated } from "kysely";
import type { TemplateContent } from "@arcada/contract/order/template.calls";

export interface OrderTemplateTable {
  institution_id: string;
  id: string;
  user_id: string;
  name: string;
  for_all: boolean;
  target_id: string | null;
  is_default: boolean;
  content: TemplateContent;
  updated_at: Generated<string>;
}
