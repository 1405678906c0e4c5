import { factorCalls } from "@arcada/contract/factor/factor.calls";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import type { AuthenticatedContext } from "../../platform/http/request-context.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { refuse, refuseAndKeep } from "../../platform/http/refuse.ts";
import { encryptSecret } from "../../platform/security/encrypted-secret.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { secret } from "../../platform/runtime/services.ts";
import { recordProof } from "../session/session.ts";
import { lockPasswordHash } from "../sign-in/attempt-limiter.ts";
import {
  createFirstRecoveryCodes,
  isRecentlyProven,
  createRecoveryCodes,
  withStepUpProof,
  withRecentProof,
  verifyTotp,
} from "./factor-proof.ts";
import {
  deletePasskey,
  deleteRecoveryCodes,
  insertPasskey,
  saveUnconfirmedTotp,
  readPasskeys,
  countRecoveryCodes,
  removeTotp,
  setPasskeySecond,
  findTotp,
} from "./factor.store.ts";
import { readIdentities } from "../identity-provider/linked-identities.store.ts";
import { creationOptions, verifyNewPasskey, authenticationOptions } from "./passkey.ts";
import { hasTwoSteps } from "./second-step.ts";
import { newTotpSecret, describeTotp } from "./totp.ts";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";
import { notifyFactorChange } from "./notify-factor-change.ts";

export const factorRoutes = routes(factorCalls, {
  proofOptions: (_, context) =>
    bypassTenantScope(context.db, async () => {
      const { uid } = context.principal;
      return authenticationOptions(context, { uid, passkeys: await readPasskeys(context.db, uid) });
    }),

  prove: {
    manualTransaction: (input, context) =>
      withStepUpProof(context, input, async ({ db, principal }) => {
        await recordProof(db, principal.sessionId);
        return null;
      }),
  },

  list: (_, context) => bypassTenantScope(context.db, () => listFactors(context)),

  totpStart: {
    manualTransaction: (input, context) =>
      withRecentProof(context, input, async ({ db, principal }) => {
        if ((await findTotp(db, principal.uid))?.confirmed_at) refuse("totpThere");
        const fresh = newTotpSecret();
        await saveUnconfirmedTotp(db, principal.uid, encryptSecret(secret(), principal.uid, fresh));
        return describeTotp(fresh, (await findContact(db, principal.uid)) ?? principal.name);
      }),
  },

  totpConfirm: (input, context) =>
    bypassTenantScope(context.db, async () => {
      const { db, principal } = context;
      if (!(await verifyTotp(db, principal.uid, input.code, false))) refuse("factorWrong", { code: "factorWrong" });
      const recovery = await createFirstRecoveryCodes(db, principal.uid);
      await notifyFactorChange(context, "totpOn");
      return { recovery };
    }),

  totpRemove: {
    manualTransaction: (input, context) =>
      withStepUpProof(context, input, async (inside) => {
        await removeTotp(inside.db, inside.principal.uid);
        await deleteUnusedRecoveryCodes(inside);
        await notifyFactorChange(inside, "totpOff");
        return null;
      }),
  },

  recoveryRenew: {
    manualTransaction: (input, context) =>
      withStepUpProof(context, input, async (inside) => {
        if (!(await hasTwoSteps(inside.db, inside.principal.uid))) refuse("notFound");
        const recovery = await createRecoveryCodes(inside.db, inside.principal.uid);
        await notifyFactorChange(inside, "recoveryRenewed");
        return { recovery };
      }),
  },

  passkeyStart: {
    manualTransaction: (input, context) =>
      withRecentProof(context, input, async (inside) => {
        const { db, principal } = inside;
        const passkeys = await readPasskeys(db, principal.uid);
        if (passkeys.length >= factorRules.passkeys) refuse("passkeyTooMany");
        const account = (await findContact(db, principal.uid)) ?? principal.name;
        return creationOptions(inside, { uid: principal.uid, account, name: principal.name, passkeys });
      }),
  },

  passkeyAdd: (input, context) =>
    bypassTenantScope(context.db, async () => {
      const { db, principal } = context;
      const passkey = (await verifyNewPasskey(context, principal.uid, input.response)) ?? refuseAndKeep("passkeyWrong");
      const { id, publicKey, counter, transports } = passkey;
      const isStored = await insertPasskey(db, {
        id,
        uid: principal.uid,
        name: input.name,
        publicKey,
        counter,
        transports,
      });
      if (!isStored) refuseAndKeep("passkeyWrong");
      await notifyFactorChange(context, "passkeyAdded");
      // Otherwise it would open the account while the institution that requires it stayed closed.
      const wanted = (await isRequired(db, principal.uid)) && !(await hasTwoSteps(db, principal.uid));
      return wanted ? enablePasskeySecondStep(context) : { recovery: [] };
    }),

  passkeyRemove: {
    manualTransaction: ({ id, ...proof }, context) =>
      withStepUpProof(context, proof, async (inside) => {
        const { db, principal } = inside;
        if (!(await deletePasskey(db, principal.uid, id))) refuse("notFound");
        if ((await readPasskeys(db, principal.uid)).length === 0) await setPasskeySecond(db, principal.uid, false);
        await deleteUnusedRecoveryCodes(inside);
        await notifyFactorChange(inside, "passkeyRemoved");
        return null;
      }),
  },

  passkeySecond: {
    manualTransaction: ({ on, ...proof }, context) =>
      on
        ? withRecentProof(context, proof, enablePasskeySecondStep)
        : withStepUpProof(context, proof, async (inside) => {
            await setPasskeySecond(inside.db, inside.principal.uid, false);
            await deleteUnusedRecoveryCodes(inside);
            await notifyFactorChange(inside, "passkeySecondOff");
            return { recovery: [] };
          }),
  },
});

async function enablePasskeySecondStep(context: AuthenticatedContext) {
  const { db, principal } = context;
  if ((await readPasskeys(db, principal.uid)).length === 0) refuse("notFound");
  await setPasskeySecond(db, principal.uid, true);
  const recovery = await createFirstRecoveryCodes(db, principal.uid);
  await notifyFactorChange(context, "passkeySecondOn");
  return { recovery };
}

async function listFactors({ db, principal, config }: AuthenticatedContext) {
  const { uid } = principal;
  const user = await db.selectFrom("users").select("passkey_second").where("id", "=", uid).executeTakeFirstOrThrow();
  return {
    hasPassword: (await lockPasswordHash(db, uid)) !== null,
    required: await isRequired(db, uid),
    fresh: await isRecentlyProven(db, principal.sessionId),
    totp: Boolean((await findTotp(db, uid))?.confirmed_at),
    passkeySecond: user.passkey_second,
    recoveryLeft: await countRecoveryCodes(db, uid),
    passkeys: (await readPasskeys(db, uid)).map((passkey) => pickColumns(passkey, "id", "name", "made_at", "used_at")),
    identities: (await readIdentities(db, uid)).map(({ issuer, subject, email, linked_at }) => ({
      issuer,
      subject,
      email,
      label: config.OIDC_PROVIDERS.find((one) => one.issuer === issuer)?.label ?? new URL(issuer).host,
      linkedAt: linked_at,
    })),
  };
}

async function isRequired(db: Db, uid: string): Promise<boolean> {
  const found = await db
    .selectFrom("membership")
    .innerJoin("institution", "institution.id", "membership.institution_id")
    .select("institution.id")
    .where("membership.user_id", "=", uid)
    .where("membership.state", "=", "normal")
    .where("institution.require_factor", "=", true)
    .executeTakeFirst();
  return found !== undefined;
}

const findContact = async (db: Db, uid: string): Promise<string | null> =>
  (await db.selectFrom("contact").select("value").where("user_id", "=", uid).orderBy("kind").executeTakeFirst())
    ?.value ?? null;

/** Recovery codes are of no use once there is no second step. */
async function deleteUnusedRecoveryCodes({ db, principal }: AuthenticatedContext): Promise<void> {
  if (!(await hasTwoSteps(db, principal.uid))) await deleteRecoveryCodes(db, principal.uid);
}
