import { deleteSpentSecrets } from "./delete-spent-secrets.ts";
import { accountRules } from "@arcada/contract/account/account.rules";
import { deleteOldErrorReports } from "./diagnostics/error-reports.ts";
import { serveSpeedProbe } from "./diagnostics/speed-probe.ts";
import { factorRoutes } from "./factor/factor.routes.ts";
import { linkedIdentityRoutes } from "./identity-provider/linked-identities.routes.ts";
import { passkeySignInRoutes } from "./sign-in/passkey-sign-in.routes.ts";
import { secondStepRoutes } from "./sign-in/second-step.routes.ts";
import { serveProviders } from "./identity-provider/identity-provider.routes.ts";
import { createFirstManagerAccount } from "./registration/create-first-manager-account.ts";
import { accountCommands } from "./admin/account.commands.ts";
import { errorReportRoutes } from "./diagnostics/error-reports.routes.ts";
import { legalTextRoutes } from "./legal/legal-texts.routes.ts";
import { passwordRoutes } from "./password/password.routes.ts";
import { completeAccountRoutes } from "./profile/complete-account.routes.ts";
import { contactRoutes } from "./profile/contacts.routes.ts";
import { countryRoutes } from "./profile/countries.routes.ts";
import { profileRoutes } from "./profile/profile.routes.ts";
import { registrationRoutes } from "./registration/registration.routes.ts";
import { sessionRoutes } from "./session/session.routes.ts";
import { exchangeCodeRoutes } from "./sign-in/exchange-code.routes.ts";
import { loginPageRoutes } from "./sign-in/login-page.routes.ts";
import { signInRoutes } from "./sign-in/sign-in.routes.ts";
import { setupRoutes } from "./setup/setup.routes.ts";
import { findValidSessions } from "./session/session-validity.ts";
import { updateMemberSessions, updateServiceSessions } from "./session/session.subscribers.ts";
import { launchRoutes } from "./sign-in/launch-code.routes.ts";
import { institutionOpened } from "../institution/institution.events.ts";
import { membershipChanged } from "../member/member.events.ts";
import { serviceMembershipChanged } from "../operator/staff.events.ts";
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
  reads: ["institution", "membership", "admission", "api_key"],
  routes: [
    ...countryRoutes,
    ...loginPageRoutes,
    ...signInRoutes,
    ...registrationRoutes,
    ...passwordRoutes,
    ...exchangeCodeRoutes,
    ...sessionRoutes,
    ...profileRoutes,
    ...contactRoutes,
    ...completeAccountRoutes,
    ...legalTextRoutes,
    ...errorReportRoutes,
    ...launchRoutes,
    ...secondStepRoutes,
    ...passkeySignInRoutes,
    ...factorRoutes,
    ...linkedIdentityRoutes,
    ...setupRoutes,
  ],
  retention: [
    {
      data: "failed sign-ins",
      tables: ["login_failure"],
      period: "1 day",
      from: "the attempt",
      enforcedIn: "account/delete-spent-secrets.ts",
    },
    {
      data: "verification codes",
      tables: ["verification"],
      period: "1 day",
      from: "the request of the code",
      enforcedIn: "account/delete-spent-secrets.ts",
    },
    {
      data: "single-use secrets",
      tables: ["ticket"],
      period: "1 day",
      from: "their expiry",
      enforcedIn: "account/delete-spent-secrets.ts",
    },
    {
      data: "errors in browsers",
      tables: ["error_report"],
      period: `${accountRules.errorReportDays} days`,
      from: "the report",
      enforcedIn: "account/diagnostics/error-reports.ts",
    },
  ],
  adminCommands: accountCommands,
  serve: (app, services) => {
    serveProviders(app, services);
    serveSpeedProbe(app);
  },
  validHolders: findValidSessions,
  tasks: ({ database }) => [
    {
      name: "account.deleteSpentSecrets",
      everyMs: 600_000,
      toleratedMs: 7_200_000,
      run: () => deleteSpentSecrets(database),
    },
    {
      name: "account.deleteOldErrorReports",
      everyMs: 600_000,
      toleratedMs: 86_400_000,
      run: () => deleteOldErrorReports(database),
    },
  ],
  subscribers: () => [
    on(membershipChanged, updateMemberSessions),
    on(serviceMembershipChanged, updateServiceSessions),
    on(institutionOpened, createFirstManagerAccount),
  ],
};
