import type { Parsed } from "@arcada/contract/kernel/call";
import { smartCalls } from "@arcada/contract/smart/smart.calls";
import { needsPatient } from "@arcada/contract/smart/smart-scopes";
import { audit } from "../platform/audit/audit.ts";
import type { Config } from "../platform/runtime/config.ts";
import type { MemberContext } from "../platform/http/request-context.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { isAllowedEndpoint } from "../platform/security/outbound-address-guard.ts";
import { demandStepUp } from "../platform/security/step-up.ts";
import { insertApp, listApps, renewAppSecret, requireApp, revokeApp, updateApp } from "./app.store.ts";
import type { AppInput, AppRow } from "./app.store.ts";
import { askForConsent, decideConsent, launchApp } from "./authorization.ts";
import { readKeySet } from "./client-keys.ts";
import { endGrant, listApprovals, ownsApproval } from "./grant.store.ts";

export const smartRoutes = routes(smartCalls, {
  apps: (_, { db, principal }) => listApps(db, principal.iid),
  register: {
    manualTransaction: async (input, context) => {
      const registration = await checkRegistration(input, input.kind, context.config);
      await demandStepUp(context, input);
      return context.inTransaction(async (inside) => {
        const { db, principal } = inside;
        const { iid, uid } = principal;
        const { id, secret } = await insertApp(db, { iid, uid, kind: input.kind, ...registration });
        const { name, scopes, redirect_uris: addresses } = registration;
        await noteChange(inside, "smart.register", id, { name, scopes, addresses });
        return { app: await requireApp(db, iid, id), secret };
      });
    },
  },
  change: {
    manualTransaction: async (input, context) => {
      const { kind } = await context.inTransaction(({ db, principal }) => requireApp(db, principal.iid, input.id));
      const registration = await checkRegistration(input, kind, context.config);
      await demandStepUp(context, input);
      return context.inTransaction(async (inside) => {
        const { db, principal } = inside;
        await updateApp(db, principal.iid, input.id, registration);
        const { name, scopes, redirect_uris: addresses } = registration;
        await noteChange(inside, "smart.change", input.id, { name, scopes, addresses });
        return requireApp(db, principal.iid, input.id);
      });
    },
  },
  renewSecret: {
    manualTransaction: async ({ id, ...proof }, context) => {
      await demandStepUp(context, proof);
      return context.inTransaction(async (inside) => {
        const { db, principal } = inside;
        const secret = await renewAppSecret(db, principal.iid, id);
        await noteChange(inside, "smart.renewSecret", id, {});
        return { app: await requireApp(db, principal.iid, id), secret };
      });
    },
  },
  revoke: async ({ id }, { db, principal }) => {
    await requireApp(db, principal.iid, id);
    await revokeApp(db, principal.iid, id);
    return requireApp(db, principal.iid, id);
  },

  ask: ({ request }, context) => askForConsent(context, request),
  decide: (input, context) => decideConsent(context, input),

  launchable: async (_, { db, principal }) => {
    const apps = await listApps(db, principal.iid);
    return apps
      .filter(({ state, launchUrl }) => state === "active" && launchUrl !== null)
      .map(({ id, name }) => ({ id, name }));
  },
  launch: async ({ id, patientId }, context) => {
    context.subject = patientId;
    context.detail = { app: id };
    return { url: await launchApp(context, id, patientId) };
  },

  approvals: (_, { db, principal }) => listApprovals(db, principal),
  endApproval: async ({ id }, { db, principal }) => {
    if (!(await ownsApproval(db, principal, id))) refuse("notFound");
    await endGrant(db, id, "revoked");
    return null;
  },
});

/** Checks what the fields of a registration say together; the contract checks each of them. */
async function checkRegistration(
  input: Pick<Parsed<typeof smartCalls.register>, "name" | "redirectUris" | "launchUrl" | "scopes" | "keys">,
  kind: AppRow["kind"],
  { WEBHOOK_NETWORKS: networks }: Config,
): Promise<AppInput> {
  const { name, redirectUris, launchUrl, scopes, keys } = input;
  // Only a backend service works without a browser.
  const isBackend = scopes.every((scope) => scope.startsWith("system/"));
  if (redirectUris.length === 0 && !isBackend) refuse("badInput", { redirectUris: "required" });
  if (kind !== "keys" && scopes.some((scope) => scope.startsWith("system/")))
    refuse("badInput", { scopes: "appSystemScope" });
  if (launchUrl !== "" && !scopes.includes("launch")) refuse("badInput", { scopes: "appLaunchScope" });
  if (scopes.includes("launch/patient") && !needsPatient(scopes.filter((scope) => scope !== "launch/patient")))
    refuse("badInput", { scopes: "appPatientScope" });
  if (kind === "keys") {
    const isUsable = keys.startsWith("{") ? await readKeySet(keys) : isAllowedEndpoint(keys, networks);
    if (!isUsable) refuse("badInput", { keys: "appKeys" });
  }
  return {
    name,
    redirect_uris: [...new Set(redirectUris)],
    launch_url: launchUrl || null,
    scopes: [...new Set(scopes)],
    keys: kind === "keys" ? keys : null,
  };
}

const noteChange = (
  { db, principal, address, requestId }: MemberContext,
  action: string,
  subject: string,
  detail: Record<string, unknown>,
): Promise<void> =>
  audit(db, {
    institution_id: principal.iid,
    user_id: principal.uid,
    action,
    subject,
    detail,
    address,
    request_id: requestId,
  });
