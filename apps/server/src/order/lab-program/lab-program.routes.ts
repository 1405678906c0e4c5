import type { LabProgram } from "@arcada/contract/order/lab-program.calls";
import { labProgramCalls, labProgramRules } from "@arcada/contract/order/lab-program.calls";
import { makeExocadTemplate } from "@arcada/exchange/exocad/project-template";
import type { ExocadTemplate } from "@arcada/exchange/exocad/project-template";
import { ExchangeError } from "@arcada/exchange/exchange-error";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";
import { refuse } from "../../platform/http/refuse.ts";
import type { MemberContext } from "../../platform/http/request-context.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import * as store from "./lab-program.store.ts";

const decoder = new TextDecoder();

export const labProgramRoutes = routes(labProgramCalls, {
  labWords: async ({ labId }, { db }) => (await store.findLabWords(db, labId))?.words ?? [],

  labProgram: (_input, context) => viewLabProgram(context),

  saveLabWords: async ({ words, version }, context) => {
    const { db, principal } = context;
    context.subject = principal.iid;
    context.detail = { words: words.length };
    if (!(await store.saveLabWords(db, principal, words, version)))
      return refuse("labWordsChanged", await viewLabProgram(context));
    return viewLabProgram(context);
  },

  saveLabTemplate: async ({ template }, context) => {
    const { db, principal } = context;
    context.subject = principal.iid;
    context.detail = { name: template?.name ?? null };
    if (template === null) {
      await store.deleteLabTemplate(db, principal.iid);
      return viewLabProgram(context);
    }
    const { bytes, hasMaterials, kinds } = readTemplate(Buffer.from(template.content, "base64"));
    await store.putLabTemplate(db, {
      institution_id: principal.iid,
      name: template.name,
      content: decoder.decode(bytes),
      has_materials: hasMaterials,
      kinds: JSON.stringify(kinds),
      added_by: principal.uid,
    });
    return viewLabProgram(context);
  },
});

async function viewLabProgram({ db, principal }: MemberContext): Promise<LabProgram> {
  const own = await store.findLabWords(db, principal.iid);
  const template = await store.describeLabTemplate(db, principal.iid);
  return {
    words: own?.words ?? [],
    version: own?.version ?? 0,
    template: template
      ? { ...pickColumns(template, "name", "bytes", "has_materials", "kinds", "added_at"), addedBy: template.addedBy }
      : null,
    mayChange: principal.role === "factoryAdmin",
  };
}

function readTemplate(bytes: Uint8Array): ExocadTemplate {
  if (bytes.length > labProgramRules.maxTemplateBytes) return refuse("labTemplateUnreadable");
  try {
    return makeExocadTemplate(bytes);
  } catch (error) {
    if (error instanceof ExchangeError) return refuse("labTemplateUnreadable", { problem: error.problem });
    throw error;
  }
}
