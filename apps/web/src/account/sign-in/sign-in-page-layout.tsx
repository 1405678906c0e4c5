import { Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { loginPageCalls } from "@arcada/contract/account/login-page.calls";
import { screens } from "@arcada/contract/screens";
import type { Output } from "@arcada/contract/kernel/call";
import { chooseLanguage, useLanguage, useTexts } from "../../i18n/texts.ts";
import { useCallOnce } from "../../data/use-call-once.ts";
import { ArchDecoration } from "../../ui/arch-decoration.tsx";
import { Logo } from "../../ui/logo.tsx";
import { CookieBanner, openCookieSettings } from "../cookies/cookie-consent.tsx";
import { useDocumentTitle } from "../fields/use-document-title.ts";
import classes from "./sign-in-page.module.css";

export const useWelcome = (): Output<typeof loginPageCalls.welcome> | undefined => useCallOnce(loginPageCalls.welcome);

/** The layout that the sign-in pages share: the product beside the form, the company below it. */
export function SignInPage({ title, children }: { title: string; children: ReactNode }) {
  const t = useTexts("account");
  useDocumentTitle(title);
  return (
    <div className={classes.door}>
      <aside className={classes.hero}>
        <ArchDecoration className={classes.arch} />
        <Logo light />
        <div className={classes.pitch}>
          <p className={classes.claim}>{t("account.claim")}</p>
          <ul className={classes.points}>
            {(["images", "orders", "open"] as const).map((point) => (
              <li key={point}>{t(`account.point.${point}`)}</li>
            ))}
          </ul>
        </div>
        <Company />
      </aside>
      <div className={classes.side}>
        <header className={classes.head}>
          <span className={classes.smallLogo}>
            <Logo />
          </span>
          <LanguageButton />
        </header>
        <main className={classes.form}>{children}</main>
        <footer className={classes.foot}>
          <Company />
        </footer>
      </div>
      <CookieBanner />
    </div>
  );
}

function LanguageButton() {
  const t = useTexts();
  const language = useLanguage();
  const other = language === "en" ? "zh" : "en";
  // The label is in the other language, because a user who needs it cannot read the current one.
  return (
    <Button variant="subtle" color="gray" size="sm" lang={other} onClick={() => void chooseLanguage(other)}>
      {t(`common.languages.${other}`)}
    </Button>
  );
}

function LegalLinks() {
  const t = useTexts("account");
  return (
    <Group gap="md">
      <a href={screens.terms.path}>{t("account.terms")}</a>
      <a href={screens.privacy.path}>{t("account.privacy")}</a>
      <button type="button" className={classes.plain} onClick={openCookieSettings}>
        {t("account.cookiesSettings")}
      </button>
    </Group>
  );
}

function Company() {
  const t = useTexts("account");
  const welcome = useWelcome();
  if (!welcome) return <div className={classes.company} />;
  const { company, hotline, serviceHours, copyright } = welcome;
  return (
    <div className={classes.company}>
      {/* Hours without a number to call tell nobody anything. */}
      {hotline && (
        <Group gap="xs">
          <Text size="sm">{t("account.hotline", { hotline })}</Text>
          <Text size="sm">{t("account.serviceHours", serviceHours)}</Text>
        </Group>
      )}
      <Text size="xs">
        {[company.name, company.address].filter(Boolean).join(" · ")}
        {" · "}
        <a href={company.site ?? screens.privacy.path} rel="noreferrer" target="_blank">
          {t("account.site")}
        </a>
      </Text>
      <LegalLinks />
      <Text size="xs">© {copyright}</Text>
    </div>
  );
}
