import { accountRules } from "@arcada/contract/account/account.rules";
import { accountRoutes } from "./account.routes.ts";
import { deleteSpentSecrets } from "./account.store.ts";
import { deleteOldErrorReports } from "./diagnostics/error-reports.ts";
import { serveSpeedProbe } from "./diagnostics/speed-probe.ts";
import { factorRoutes } from "./factor/factor.routes.ts";
import { serveProviders } from "./identity-provider/identity-provider.routes.ts";
import { createOpenedAccount } from "./profile/first-manager-account.ts";
import { accountCommands } from "./admin/account.commands.ts";
import { profileRoutes } from "./profile/profile.routes.ts";
import { setupRoutes } from "./setup/setup.routes.ts";
import { findValidSessions } from "./session/session-validity.ts";
import { updateMemberSessions, updateServiceSessions } from "./session/session-memberships.ts";
import { launchRoutes } from "./sign-in/launch-code.routes.ts";
import { accountOpened } from "../institution/institution.events.ts";
import { membershipChanged } from "../member/member.events.ts";
import { serviceMembershipChanged } from "../operator/operator.events.ts";
import { on } from "../platform/events/events.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const accountSlice: Slice = {
  name: "account",
  tables: [
    "users",
    "contact",
    "session",
    "verification",
    "ticket",
    "login_failure",
    "known_device",
    "error_report",
    "totp",
    "recovery_code",
    "passkey",
    "identity",
    "provider_grant",
  ],
  reads: ["institution", "membership", "api_key"],
  retention: [
    {
      data: "failed sign-ins",
      tables: ["login_failure"],
      period: "1 day",
      from: "the attempt",
      enforcedIn: "account/account.store.ts",
    },
    {
      data: "verification codes",
      tables: ["verification"],
      period: "1 day",
      from: "the request of the code",
      enforcedIn: "account/account.store.ts",
    },
    {
      data: "single-use secrets",
      tables: ["ticket"],
      period: "1 day",
      from: "their expiry",
      enforcedIn: "account/account.store.ts",
    },
    {
      data: "errors in browsers",
      tables: ["error_report"],
      period: `${accountRules.errorReportDays} days`,
      from: "the report",
      enforcedIn: "account/diagnostics/error-reports.ts",
    },
  ],
  routes: [...accountRoutes, ...profileRoutes, ...launchRoutes, ...factorRoutes, ...setupRoutes],
  adminCommands: accountCommands,
  serve: (app, services) => {
    serveProviders(app, services);
    serveSpeedProbe(app);
  },
  validHolders: findValidSessions,
  schedules: ({ database }) => [
    { everyMs: 600_000, run: () => deleteSpentSecrets(database) },
    { everyMs: 600_000, run: () => deleteOldErrorReports(database) },
  ],
  subscribers: () => [
    on(membershipChanged, updateMemberSessions),
    on(serviceMembershipChanged, updateServiceSessions),
    on(accountOpened, createOpenedAccount),
  ],
};
