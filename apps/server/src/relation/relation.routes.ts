import { relationCalls } from "@arcada/contract/relation/relation.calls";
import type { Relation } from "@arcada/contract/relation/relation.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import { notifyClients } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { invitationsOf, invite, withdraw } from "./relation.invite.ts";
import { takeStep } from "./relation.steps.ts";
import { relationById, setTerms } from "./relation.store.ts";
import { otherSide } from "./relation.ts";
import { historyWith, networkOf, sends, shownAll, typeOf } from "./relation.view.ts";

export const relationRoutes = routes(relationCalls, {
  list: async (input, context) => (await shownAll(context)).filter((row) => !input.state || row.state === input.state),
  network: (_, context) => networkOf(context),
  history: ({ iid }, context) => historyWith(context, iid),

  step: async (input, context) => one(context, await takeStep(context, input)),

  setTerms: async ({ id, version, mayForward }, context) => {
    const { db, asker } = context;
    const row = (await relationById(db, asker.iid, id)) ?? refuse("notFound");
    const other = otherSide(row, asker.iid);
    if (!sends(await typeOf(db, asker.iid), await typeOf(db, other))) refuse("relationActionNotAllowed");
    if (!(await setTerms(db, { id, version }, asker.iid, { mayForward }))) refuse("relationChanged");
    await audit(db, {
      institution_id: asker.iid,
      user_id: asker.uid,
      action: "relation.setTerms",
      subject: id,
      detail: { mayForward },
      address: context.address,
    });
    await notifyClients(db, { institutions: [asker.iid, other] }, "relation", id);
    return one(context, id);
  },

  invite: (input, context) => invite(context, input),
  invitations: (_, { db, asker }) => invitationsOf(db, asker.iid),
  withdraw: ({ id }, context) => withdraw(context, id),
});

const one = async (context: MemberContext, id: string): Promise<Relation> =>
  (await shownAll(context, id)).find((row) => row.id === id) ?? refuse("notFound");
