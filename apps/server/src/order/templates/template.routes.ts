import type { Output } from "@arcada/contract/kernel/call";
import { templateCalls, templateRules } from "@arcada/contract/order/template.calls";
import type { MemberContext } from "../../platform/http/request-context.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { deleteTemplate, clearOtherDefaults, lockTemplate, readTemplates, saveTemplate } from "./template.store.ts";
import type { TemplateRow } from "./template.store.ts";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";

type Principal = MemberContext["principal"];

export const templateRoutes = routes(templateCalls, {
  list: async (_, { db, principal }) => (await readTemplates(db, principal.iid)).map((row) => toView(row, principal)),

  save: async (input, context) => {
    const { db, principal } = context;
    const known = input.id === undefined ? null : await findChangeable(context, input.id);
    if (!known && (await readTemplates(db, principal.iid)).length >= templateRules.max) refuse("templateTooMany");
    if (input.targetIid) await requireLab(context, input.targetIid);
    const row = {
      institution_id: principal.iid,
      id: known?.id ?? newId(),
      user_id: known?.user_id ?? principal.uid,
      name: input.name,
      // A shared template stays shared when a manager corrects it: otherwise it would leave the manager's own view.
      for_all: input.forAll || (known !== null && known.user_id !== principal.uid),
      target_id: input.targetIid,
      is_default: input.isDefault && input.targetIid !== null,
      content: input.content,
    };
    if (row.is_default) await clearOtherDefaults(db, row);
    return toView(await saveTemplate(db, row), principal);
  },

  remove: async ({ id }, context) => {
    await deleteTemplate(context.db, await findChangeable(context, id));
    return null;
  },
});

/** Users may change their own templates, and a manager those of the whole clinic. */
const mayChange = (row: TemplateRow, principal: Principal): boolean =>
  row.user_id === principal.uid || principal.role === "clinicAdmin";

async function findChangeable({ db, principal }: MemberContext, id: string): Promise<TemplateRow> {
  const row = (await lockTemplate(db, principal.iid, id)) ?? refuse("notFound");
  return mayChange(row, principal) ? row : refuse("notAllowed");
}

async function requireLab({ db }: MemberContext, id: string): Promise<void> {
  const found = await db.selectFrom("institution").select("type").where("id", "=", id).executeTakeFirst();
  if (found?.type !== "lab") refuse("institutionUnknown");
}

const toView = (row: TemplateRow, principal: Principal): Output<typeof templateCalls.list>[number] => ({
  ...pickColumns(row, "id", "name", "for_all", "is_default", "content"),
  targetIid: row.target_id,
  mayChange: mayChange(row, principal),
});
