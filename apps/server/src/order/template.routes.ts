import type { Output } from "@arcada/contract/kernel/call";
import { templateCalls, templateRules } from "@arcada/contract/order/template.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { dropTemplate, stepBack, templateOf, templatesOf, writeTemplate } from "./template.store.ts";
import type { TemplateRow } from "./template.store.ts";

type Asker = MemberContext["asker"];

export const templateRoutes = routes(templateCalls, {
  list: async (_, { db, asker }) => (await templatesOf(db, asker.iid)).map((row) => viewOf(row, asker)),

  save: async (input, context) => {
    const { db, asker } = context;
    const known = input.id === undefined ? null : await changeable(context, input.id);
    if (!known && (await templatesOf(db, asker.iid)).length >= templateRules.most) refuse("templateTooMany");
    if (input.targetIid) await needLab(context, input.targetIid);
    const row = {
      institution_id: asker.iid,
      id: known?.id ?? newId(),
      user_id: known?.user_id ?? asker.uid,
      name: input.name,
      // A shared template stays shared when a manager corrects it: otherwise it would leave the manager's own view.
      for_all: input.forAll || (known !== null && known.user_id !== asker.uid),
      target_id: input.targetIid,
      is_default: input.isDefault && input.targetIid !== null,
      content: input.content,
    };
    if (row.is_default) await stepBack(db, row);
    return viewOf(await writeTemplate(db, row), asker);
  },

  remove: async ({ id }, context) => {
    await dropTemplate(context.db, await changeable(context, id));
    return null;
  },
});

/** Own ones, and for a manager those of the whole clinic. */
const mayChange = (row: TemplateRow, asker: Asker): boolean =>
  row.user_id === asker.uid || asker.role === "clinicAdmin";

async function changeable({ db, asker }: MemberContext, id: string): Promise<TemplateRow> {
  const row = (await templateOf(db, asker.iid, id)) ?? refuse("notFound");
  return mayChange(row, asker) ? row : refuse("notAllowed");
}

async function needLab({ db }: MemberContext, id: string): Promise<void> {
  const found = await db.selectFrom("institution").select("type").where("id", "=", id).executeTakeFirst();
  if (found?.type !== "lab") refuse("institutionUnknown");
}

const viewOf = (row: TemplateRow, asker: Asker): Output<typeof templateCalls.list>[number] => ({
  id: row.id,
  name: row.name,
  forAll: row.for_all,
  targetIid: row.target_id,
  isDefault: row.is_default,
  content: row.content,
  mayChange: mayChange(row, asker),
});
