import { hl7Calls } from "@arcada/contract/hl7/hl7.calls";
import { hl7Choices } from "@arcada/contract/hl7/hl7.rules";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import type { Config } from "../platform/runtime/config.ts";
import { mayReach, parseLiteralAddress } from "../platform/security/outbound-address-guard.ts";
import { applyIntent, type Decision } from "./apply-intent.ts";
import {
  deleteConnection,
  insertConnection,
  listConnections,
  recordReached,
  requireConnection,
  updateConnection,
} from "./connection.store.ts";
import { listMessages, listWaiting, lockWaiting, recordOutcome, requireMessage, toOutcome } from "./message.store.ts";
import { restartMessage } from "./outgoing.store.ts";
import { receiveMessage } from "./receive-message.ts";
import { enqueueMessage, probeConnection } from "./send-report.ts";

export const hl7Routes = routes(hl7Calls, {
  connections: (_, { db, principal }) => listConnections(db, principal.iid),
  saveConnection: async ({ id, ...input }, context) => {
    const { db, principal, config } = context;
    requireAllowedHost(input.host, config);
    if (input.results !== "off" && input.host === "") refuse("hl7NoAddress", { host: "hl7NoAddress" });
    if (id !== undefined) await requireConnection(db, principal.iid, id);
    const saved =
      id === undefined
        ? await insertConnection(db, principal, input)
        : await updateConnection(db, principal.iid, id, input);
    context.subject = saved.id;
    return saved;
  },
  removeConnection: async ({ id }, { db, principal }) => {
    await deleteConnection(db, principal.iid, id);
    return null;
  },
  tryConnection: {
    manualTransaction: async ({ id }, { inTransaction, config }) => {
      const connection = await inTransaction(({ db, principal }) => requireConnection(db, principal.iid, id));
      if (connection.host === "") refuse("hl7NoAddress");
      const began = performance.now();
      const failure = await probeConnection(config, connection);
      const problem = failure?.problem ?? null;
      await inTransaction(({ db, principal }) => recordReached(db, principal.iid, id, problem));
      const milliseconds = Math.round(performance.now() - began);
      return { problem, detail: failure?.message ?? null, milliseconds };
    },
  },
  messages: (input, { db, principal }) => listMessages(db, principal.iid, input),
  waiting: (_, { db, principal }) => listWaiting(db, principal.iid),
  decide: async ({ id, decision, patientId }, context) => {
    const { db, principal } = context;
    await requireMessage(db, principal.iid, id);
    const message = (await lockWaiting(db, principal.iid, id)) ?? refuse("hl7Decided");
    const { intent, reason } = message;
    if (!intent || !reason) return refuse("hl7Decided");
    const decidedBy = principal.uid;
    if (decision === "dismiss") {
      await recordOutcome(db, principal.iid, id, {
        state: "dismissed",
        reason,
        patientId: message.patientId,
        decidedBy,
      });
    } else {
      if (!hl7Choices[reason]?.includes(decision)) refuse("hl7NotPossible");
      const connection = await requireConnection(db, principal.iid, message.connectionId);
      const chosen: Decision =
        decision === "choose"
          ? { kind: "choose", patientId: patientId ?? refuse("badInput", { patientId: "required" }) }
          : { kind: decision };
      const applied = await applyIntent(context, connection, intent, chosen);
      // The records changed in the meantime, so that the decision does not fit any more.
      if (applied.state === "waiting" && applied.reason === reason) refuse("hl7NotPossible");
      await recordOutcome(db, principal.iid, id, { ...toOutcome(applied, intent), decidedBy });
    }
    context.detail = { decision };
    return requireMessage(db, principal.iid, id);
  },
  retry: async ({ id }, { db, principal }) => {
    const { connectionId, direction } = await requireMessage(db, principal.iid, id);
    if (direction !== "out") return refuse("hl7NotPossible");
    await restartMessage(db, principal.iid, id);
    await enqueueMessage(db, principal.iid, id, connectionId);
    return requireMessage(db, principal.iid, id);
  },
  receive: {
    manualTransaction: async ({ message }, { database, principal }) => ({
      reply: await receiveMessage(database, principal.iid, Buffer.from(message, "base64")),
    }),
  },
});

/** An address is checked when it is saved, and what a name resolves to at each connection. */
function requireAllowedHost(host: string, { HL7_NETWORKS }: Config): void {
  const literal = parseLiteralAddress(host);
  if (literal && !mayReach(literal, HL7_NETWORKS)) refuse("hl7Address", { host: "hl7Address" });
}
