import { linkedIdentityCalls } from "@arcada/contract/factor/linked-identities.calls";
import { bypassTenantScope } from "../../platform/database/database.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { deleteIdentity } from "./linked-identities.store.ts";
import { notifyFactorChange } from "../factor/notify-factor-change.ts";

export const linkedIdentityRoutes = routes(linkedIdentityCalls, {
  identityRemove: (input, context) =>
    bypassTenantScope(context.db, async () => {
      if (!(await deleteIdentity(context.db, context.principal.uid, input.issuer, input.subject))) refuse("notFound");
      await notifyFactorChange(context, "identityRemoved");
      return null;
    }),
});
