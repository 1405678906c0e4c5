import { relationCalls } from "@arcada/contract/relation/relation.calls";
import type { Relation } from "@arcada/contract/relation/relation.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import { notifyClients } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { listInvitations, invitePartner, withdrawInvitation } from "./relation.invite.ts";
import { applyRelationStep } from "./apply-relation-step.ts";
import { findRelation, setTerms } from "./relation.store.ts";
import { otherSide } from "./relation.allowed-steps.ts";
import { loadHistory, loadNetwork, sendsOrders, loadRelations, findType } from "./relation.view.ts";

export const relationRoutes = routes(relationCalls, {
  list: async (input, context) =>
    (await loadRelations(context)).filter((row) => !input.state || row.state === input.state),
  network: (_, context) => loadNetwork(context),
  history: ({ iid }, context) => loadHistory(context, iid),

  step: async (input, context) => requireRelation(context, await applyRelationStep(context, input)),

  setTerms: async ({ id, version, mayForward }, context) => {
    const { db, principal } = context;
    const row = (await findRelation(db, principal.iid, id)) ?? refuse("notFound");
    const other = otherSide(row, principal.iid);
    if (!sendsOrders(await findType(db, principal.iid), await findType(db, other))) refuse("relationActionNotAllowed");
    if (!(await setTerms(db, { id, version }, principal.iid, { mayForward }))) refuse("relationChanged");
    await audit(db, {
      institution_id: principal.iid,
      user_id: principal.uid,
      action: "relation.setTerms",
      subject: id,
      detail: { mayForward },
      address: context.address,
    });
    await notifyClients(db, { institutions: [principal.iid, other] }, "relation", id);
    return requireRelation(context, id);
  },

  invite: (input, context) => invitePartner(context, input),
  invitations: (_, { db, principal }) => listInvitations(db, principal.iid),
  withdraw: ({ id }, context) => withdrawInvitation(context, id),
});

const requireRelation = async (context: MemberContext, id: string): Promise<Relation> =>
  (await loadRelations(context, id)).find((row) => row.id === id) ?? refuse("notFound");
