import { loginPageCalls } from "@arcada/contract/account/login-page.calls";
import { demoAccounts } from "../../domain/demo-accounts.ts";
import { isFromThisMachine } from "../../platform/http/host-guard.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { usesOutbox } from "../../platform/mail/open-mail.ts";
import { mail } from "../../platform/runtime/services.ts";
import { version } from "../../platform/runtime/version.ts";

export const loginPageRoutes = routes(loginPageCalls, {
  welcome: async (_, { config, request, now }) => ({
    company: { name: config.COMPANY_NAME, site: config.COMPANY_SITE ?? null, address: config.COMPANY_ADDRESS ?? null },
    hotline: config.HOTLINE ?? null,
    serviceHours: config.SERVICE_HOURS,
    announcement: config.ANNOUNCEMENT ?? null,
    recruitment: config.RECRUITMENT_TEXT
      ? { text: config.RECRUITMENT_TEXT, url: config.RECRUITMENT_URL ?? null }
      : null,
    copyright: `2023–${now.getUTCFullYear()} Arcada`,
    version,
    demo: config.ARCADA_DEMO ? { password: demoAccounts.password, accounts: [...demoAccounts.accounts] } : null,
    outbox: usesOutbox(config) && isFromThisMachine(request),
    phone: mail().offers("sms"),
    passwordMin: config.PASSWORD_MIN_LENGTH,
    idleMinutes: config.IDLE_MINUTES,
    providers: config.OIDC_PROVIDERS.map(({ id, label }) => ({ id, label })),
  }),
});
